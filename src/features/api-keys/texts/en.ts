/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, button }) => ({
    subject: `An API key for your ${appName} account was created`,
    preheader: "Programs that have the key act for you. If you didn't create it, delete it.",
    heading: 'An API key was created',
    paragraphs: [`An API key was created for your ${appName} account. Programs that have the key act for you.`],
    ...(start !== null && { facts: [['Key starts with', start]] as const }),
    ...button('/account/api-keys', 'Review your API keys'),
    footnote:
      "If this was you, you don't need to do anything. If it wasn't, delete the key and change your password: someone else has access to your account.",
  }),
}
