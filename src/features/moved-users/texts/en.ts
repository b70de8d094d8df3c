/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration }) => ({
    subject: `Set your ${appName} password`,
    preheader: `Choose a password within ${duration(config.seed.setupLinkExpiresIn)}.`,
    heading: 'Set your password',
    paragraphs: [
      `Your ${appName} account has moved to a new sign-in system. Set a password to sign in again. Everything else in your account stays the same.`,
    ],
    action: { label: 'Set password', url },
    footnote: `This link works once and expires in ${duration(config.seed.setupLinkExpiresIn)}. You get it because someone tried to sign in with your email address. If it wasn't you, you can ignore this email.`,
  }),
}
