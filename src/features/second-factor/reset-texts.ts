/** The text messages about a reset of second factors, and the code that requests one. */
import { defineTexts } from '../outbox/index.ts'
import type { ResetNotice } from './reset-mail.ts'
import { textsOf } from './texts.ts'

/** Text messages also say that a reset was cancelled. */
export interface ResetText extends Omit<ResetNotice, 'stage'> {
  readonly stage: ResetNotice['stage'] | 'cancelled'
}

export const resetTexts = defineTexts(textsOf, {
  'two-factor-reset': {
    code: () => '',
  },
  'two-factor-reset-code': {
    code: ({ otp }) => otp,
  },
})
