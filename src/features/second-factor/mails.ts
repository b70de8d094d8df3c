/** Emails about second factors. */
import { defineMails } from '../outbox/index.ts'
import { exampleUser } from '../users/index.ts'
import { codeLifetime } from './code-messages.ts'
import { exampleNotice } from './factor-notice.ts'
import { textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'two-factor-enabled': { example: exampleNotice({ factor: 'totp' }) },
  'two-factor-disabled': { example: exampleNotice({ factor: 'totp' }) },
  'backup-code-used': { example: exampleNotice({ left: 7 }) },
  'backup-codes-low': { example: exampleNotice({ left: 3 }) },
  'backup-codes-created': { example: exampleNotice() },
  'password-may-be-known': { example: exampleNotice() },
  'trusted-browser-copied': { example: exampleNotice() },
  'two-factor-suspended': { example: exampleNotice() },
  'two-factor-code': {
    option: ({ twoFactor }) => twoFactor.otpOptions.sendOTP,
    lifetime: codeLifetime,
    example: (app) => ({ user: exampleUser(app), otp: '482913' }),
  },
})
