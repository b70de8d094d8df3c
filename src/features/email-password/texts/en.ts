/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName }) => ({
    subject: `You already have an account at ${appName}`,
    preheader: 'Someone tried to sign up with your email address. Nothing has changed.',
    heading: 'You already have an account',
    paragraphs: [
      `A sign-up at ${appName} used this email address. You already have an account, so no new one was created.`,
      'Sign in with your password. If you have forgotten it, request a password reset.',
    ],
    footnote: "If you didn't request this, you can ignore this email. Nothing has changed.",
  }),
}
