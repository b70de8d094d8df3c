/** The emails with a code, and the errors of codes. */
import { defineErrors } from '../../core/errors.ts'
import type { TextContext } from '../../core/message.ts'
import type { Config } from '../index.ts'
import { defineMails, mailKind, shortURL } from '../outbox/index.ts'
import { exampleRequester, type Requester, requesterFacts } from '../verifications/index.ts'

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

const english = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `Enter this code to sign in to ${appName}.`,
  'email-verification': `Enter this code to confirm your email address for ${appName}.`,
  'forget-password': `Enter this code to choose a new password for your ${appName} account.`,
  'change-email': `Enter this code to use this email address for your ${appName} account.`,
})

const german = ({ appName, say }: TextContext): Readonly<Record<CodeKind, string>> => ({
  'sign-in': say(
    `Geben Sie diesen Code ein, um sich bei ${appName} anzumelden.`,
    `Gib diesen Code ein, um dich bei ${appName} anzumelden.`,
  ),
  'email-verification': say(
    `Geben Sie diesen Code ein, um Ihre E-Mail-Adresse für ${appName} zu bestätigen.`,
    `Gib diesen Code ein, um deine E-Mail-Adresse für ${appName} zu bestätigen.`,
  ),
  'forget-password': say(
    `Geben Sie diesen Code ein, um ein neues Passwort für Ihr Konto bei ${appName} zu wählen.`,
    `Gib diesen Code ein, um ein neues Passwort für dein Konto bei ${appName} zu wählen.`,
  ),
  'change-email': say(
    `Geben Sie diesen Code ein, um diese E-Mail-Adresse für Ihr Konto bei ${appName} zu verwenden.`,
    `Gib diesen Code ein, um diese E-Mail-Adresse für dein Konto bei ${appName} zu verwenden.`,
  ),
})

const content = {
  en: (mail: CodeMail, context: TextContext) => {
    const duration = context.duration(context.config.emailOTP.expiresIn)
    return {
      subject: `${mail.otp} is your ${context.appName} code`,
      preheader: `It expires in ${duration}. Never share it.`,
      heading: `Your code: ${mail.otp}`,
      paragraphs: [english(context.appName)[mail.type], 'Never share this code: we will never ask you for it.'],
      facts: requesterFacts(mail, context),
      footnote: `The code works once and expires in ${duration}. If you didn't request it, you can ignore this email.`,
    }
  },
  de: (mail: CodeMail, context: TextContext) => {
    const { say } = context
    const duration = context.duration(context.config.emailOTP.expiresIn)
    return {
      subject: say(`${mail.otp} ist Ihr Code für ${context.appName}`, `${mail.otp} ist dein Code für ${context.appName}`),
      preheader: say(`Er gilt ${duration}. Geben Sie ihn nie weiter.`, `Er gilt ${duration}. Gib ihn nie weiter.`),
      heading: say(`Ihr Code: ${mail.otp}`, `Dein Code: ${mail.otp}`),
      paragraphs: [
        german(context)[mail.type],
        say(
          'Geben Sie diesen Code nie weiter: Niemand von uns wird Sie danach fragen.',
          'Gib diesen Code nie weiter: Niemand von uns wird dich danach fragen.',
        ),
      ],
      facts: requesterFacts(mail, context),
      footnote: say(
        `Der Code funktioniert einmal und gilt ${duration}. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.`,
        `Der Code funktioniert einmal und gilt ${duration}. Wenn du ihn nicht angefordert hast, kannst du diese E-Mail ignorieren.`,
      ),
    }
  },
}

const example = (app: Parameters<typeof exampleRequester>[0], type: CodeKind): CodeMail => ({
  ...{ email: 'ida@example.com', otp: '482913', type },
  ...exampleRequester(app),
})

const limits = { toStrangers: true, hasOwnLimit: true, lifetime: ({ emailOTP }: Config) => emailOTP.expiresIn } as const

export const mails = defineMails({
  'email-code': mailKind<CodeMail>({
    ...limits,
    option: ({ emailOTP }) => emailOTP.sendVerificationOTP,
    content,
    example: (app) => example(app, 'sign-in'),
  }),
  'sign-in-email': mailKind<SignInMail>({
    ...limits,
    hasLink: true,
    content: {
      en: (mail, context) => ({ ...content.en(mail, context), action: { label: 'Or sign in with this link', url: mail.url } }),
      de: (mail, context) => ({
        ...content.de(mail, context),
        action: { label: 'Oder mit diesem Link anmelden', url: mail.url },
      }),
    },
    example: (app) => ({ ...example(app, 'sign-in'), url: shortURL(app.config, 'Zk2p0vXnq7Lw4tR9sYb1cE6h') }),
  }),
  'email-change-code': mailKind<CodeMail>({
    ...limits,
    option: ({ emailOTP }) => emailOTP.sendVerificationOTP,
    content,
    example: (app) => example(app, 'change-email'),
  }),
})
