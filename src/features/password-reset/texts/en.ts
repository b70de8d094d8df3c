/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration }) => ({
    subject: `Reset your ${appName} password`,
    preheader: `Choose a new password within ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}.`,
    heading: 'Reset your password',
    paragraphs: [`We received a request to reset the password of your ${appName} account.`],
    action: { label: 'Reset password', url },
    footnote: `This link works once and expires in ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}. If you didn't request this, you can ignore this email. Your password stays the same.`,
  }),
}
