import type { App } from '../../core/app.ts'
import { apiURL } from '../../core/base-url.ts'
import type { UserRow } from '../../core/request.ts'
import { durationInWords } from '../../lib/duration.ts'
import type { Config } from '../index.ts'
import { canSend, type MailContent, pretendMail, sendMail } from '../outbox/index.ts'
import { describeUser } from '../users/index.ts'
import type { LinkMail } from './config.ts'
import { createEmailToken } from './tokens.ts'

export const mails = {
  verification: {
    callback: ({ emailVerification: { sendVerificationEmail } }: Config) =>
      typeof sendVerificationEmail === 'function' ? sendVerificationEmail : undefined,
    render: ({ url }: LinkMail, { config }: App): MailContent => ({
      subject: `Confirm your address for ${config.appName}`,
      heading: 'Confirm your address',
      paragraphs: [`Somebody, probably you, gave this address to ${config.appName}. Confirm that it is yours.`],
      action: { label: 'Confirm address', url },
      footnote: `This link works for ${durationInWords(config.emailVerification.expiresIn)}. If you have nothing to do with it, ignore this mail.`,
    }),
  },
}

/** Whether links can be sent to prove an address. */
export const canVerify = (app: App): boolean =>
  app.config.emailVerification.sendVerificationEmail !== false && canSend(app, 'verification')

interface LinkOptions {
  /** Where the link leads in the end; absent or empty: `/`. */
  readonly callbackURL?: string | null | undefined
  /** Seconds. Default: as configured. */
  readonly expiresIn?: number
}

/** Sends the link that proves the present address of a user; inside a transaction it is part of that. */
export async function sendVerificationMail(app: App, user: UserRow, { callbackURL, expiresIn }: LinkOptions = {}): Promise<void> {
  const token = await createEmailToken(app, { email: user.email }, expiresIn ?? app.config.emailVerification.expiresIn)
  await sendMail(app, 'verification', user.email, {
    user: describeUser(app, user),
    url: verificationURL(app, token, callbackURL),
    token,
  })
}

/** Does as much for an address that nobody has, or that needs no proof. */
export async function pretendVerificationMail(app: App, email: string, { callbackURL }: LinkOptions = {}): Promise<void> {
  const token = await createEmailToken(app, { email }, app.config.emailVerification.expiresIn)
  await pretendMail(app, 'verification', { url: verificationURL(app, token, callbackURL), token })
}

/** The link of contract 01 §4. */
export const verificationURL = (app: App, token: string, callbackURL: string | null | undefined): string =>
  `${apiURL(app.config)}/verify-email?token=${token}&callbackURL=${encodeURIComponent(callbackURL || '/')}`
