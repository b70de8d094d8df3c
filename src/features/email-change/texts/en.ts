/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'change-email': ({ url, newEmail }, { appName, config, duration }) => ({
    subject: `Confirm your new email address for ${appName}`,
    preheader: `Your account will use ${newEmail}.`,
    heading: 'Change your email address',
    paragraphs: [`We received a request to change the email address of your ${appName} account.`],
    facts: [['New email address', newEmail]],
    action: { label: 'Change email address', url },
    footnote: `This link expires in ${duration(config.emailVerification.expiresIn)}. Open it in a browser in which you are signed in. If you didn't request this, change your password: someone else may have access to your account.`,
  }),
  'email-in-use': (_, { appName }) => ({
    subject: `Your email address is in use at ${appName}`,
    preheader: 'Another account wanted to change to your email address. Nothing has changed.',
    heading: 'Your email address is in use',
    paragraphs: [
      `Another ${appName} account requested to change its email address to this one. It belongs to your account, so nothing was changed.`,
      'If the other account is yours too, sign in to it and choose a different email address.',
    ],
    footnote: "If you didn't request this, you can ignore this email. Nothing has changed.",
  }),
  'email-changed': (_, { appName }) => ({
    subject: `The email address of your ${appName} account was changed`,
    preheader: "This address is no longer used. If this wasn't you, contact us.",
    heading: 'Your email address was changed',
    paragraphs: [`The email address of your ${appName} account is no longer this one.`],
    footnote:
      "If this was you, you don't need to do anything. If it wasn't, contact us: someone else may have access to your account.",
  }),
}
