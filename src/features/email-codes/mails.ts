/** The emails with a code, and the errors of codes. */
import { defineErrors } from '../../core/errors.ts'
import type { Config } from '../index.ts'
import { defineMails, shortURL } from '../outbox/index.ts'
import { exampleRequester, type Requester } from '../verifications/index.ts'
import { textsOf } from './texts.ts'

export const codeKinds = ['sign-in', 'email-verification', 'forget-password', 'change-email'] as const
export type CodeKind = (typeof codeKinds)[number]

/** Also what `emailOTP.sendVerificationOTP` gets. */
export interface CodeMail extends Requester {
  readonly email: string
  readonly otp: string
  readonly type: CodeKind
}

/** A code, and a link that does the same. */
export interface SignInMail extends CodeMail {
  readonly url: string
}

export const errors = defineErrors({
  INVALID_OTP: [400, 'Invalid OTP'],
  TOO_MANY_ATTEMPTS: [403, 'Too many attempts'],
  INVALID_OTP_TYPE: [400, 'Invalid OTP type'],
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: [400, 'send email verification is not implemented'],
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: [400, 'Change email with OTP is disabled'],
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: [400, 'OTP is required to verify current email'],
  EMAIL_ALREADY_IN_USE: [400, 'Email already in use'],
})

const example = (app: Parameters<typeof exampleRequester>[0], type: CodeKind): CodeMail => ({
  ...{ email: 'ida@example.com', otp: '482913', type },
  ...exampleRequester(app),
})

const limits = { toStrangers: true, hasOwnLimit: true, lifetime: ({ emailOTP }: Config) => emailOTP.expiresIn } as const

export const mails = defineMails(textsOf, {
  'email-code': {
    ...limits,
    option: ({ emailOTP }) => emailOTP.sendVerificationOTP,
    example: (app) => example(app, 'sign-in'),
  },
  'sign-in-email': {
    ...limits,
    hasLink: true,
    example: (app) => ({ ...example(app, 'sign-in'), url: shortURL(app.config, 'Zk2p0vXnq7Lw4tR9sYb1cE6h') }),
  },
  'email-change-code': {
    ...limits,
    option: ({ emailOTP }) => emailOTP.sendVerificationOTP,
    example: (app) => example(app, 'change-email'),
  },
})
