/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName }) => ({
    subject: `You are on the waiting list of ${appName}`,
    preheader: 'We will write to you when you can create your account.',
    heading: 'You are on the waiting list',
    paragraphs: [`Thank you for your interest in ${appName}. We will send you an email when you can create your account.`],
    footnote: "If you didn't request this, you can ignore this email. No account was created.",
  }),
  'waiting-list-approved': ({ url }, { appName }) => ({
    subject: `You can now create your ${appName} account`,
    preheader: 'Use this email address when you sign up.',
    heading: 'You can now create your account',
    paragraphs: [`Your place on the waiting list of ${appName} has come up. Use this email address when you sign up.`],
    action: { label: 'Create account', url },
    footnote: "If you don't want an account any more, you can ignore this email.",
  }),
}
