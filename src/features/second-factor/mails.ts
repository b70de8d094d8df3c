/** Emails about second factors. */
import { defineMails } from '../outbox/index.ts'
import { exampleUser } from '../users/index.ts'
import { codeLifetime } from './code-messages.ts'
import { exampleNotice } from './factor-notice.ts'
import { textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'two-factor-enabled': { isNotice: true, example: exampleNotice({ factor: 'totp' }) },
  'two-factor-disabled': { isNotice: true, example: exampleNotice({ factor: 'totp' }) },
  'backup-code-used': { isNotice: true, example: exampleNotice({ left: 7 }) },
  'backup-codes-low': { isNotice: true, example: exampleNotice({ left: 3 }) },
  'backup-codes-created': { isNotice: true, example: exampleNotice() },
  'password-may-be-known': { isNotice: true, example: exampleNotice() },
  'trusted-browser-copied': { isNotice: true, example: exampleNotice() },
  'two-factor-suspended': { isNotice: true, example: exampleNotice() },
  'two-factor-code': {
    option: ({ twoFactor }) => twoFactor.otpOptions.sendOTP,
    lifetime: codeLifetime,
    example: (app) => ({ user: exampleUser(app), otp: '482913' }),
  },
})
