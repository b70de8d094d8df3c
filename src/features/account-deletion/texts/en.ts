/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration }) => ({
    subject: `Confirm the deletion of your ${appName} account`,
    preheader: 'All data of your account will be deleted. This cannot be undone.',
    heading: 'Delete your account',
    paragraphs: [
      `We received a request to delete your ${appName} account.`,
      'Your account and all its data will be deleted. This cannot be undone.',
    ],
    action: { label: 'Delete account', url },
    footnote: `This link works once and expires in ${duration(config.user.deleteUser.deleteTokenExpiresIn)}. Open it in a browser in which you are signed in. If you didn't request this, change your password: someone else may have access to your account.`,
  }),
}
