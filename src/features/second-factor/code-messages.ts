/** The messages with a code. Browsers and phones fill in one of a text message for our origin only (WebOTP, origin-bound codes). */
import { apiURL } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { boundLine, defineTexts } from '../outbox/index.ts'
import type { DescribedUser } from '../users/index.ts'
import { textsOf } from './texts.ts'

export interface CodeMail {
  readonly user: DescribedUser
  readonly otp: string
}

/** In seconds. */
export const codeLifetime = ({ twoFactor }: Config): number => twoFactor.otpOptions.period * 60

export const texts = defineTexts(textsOf, {
  'two-factor-code': {
    option: ({ twoFactor }) => twoFactor.otpOptions.sendOTP,
    code: ({ otp }) => otp,
  },
})

export const bound = (config: Parameters<typeof apiURL>[0], otp: string): string =>
  boundLine(new URL(apiURL(config)).hostname, otp)
