/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration }) => ({
    subject: `Скидання пароля облікового запису ${appName}`,
    preheader: `Задайте новий пароль. Термін дії посилання: ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}.`,
    heading: 'Скидання пароля',
    paragraphs: [`Ми отримали запит на скидання пароля вашого облікового запису ${appName}.`],
    action: { label: 'Скинути пароль', url },
    footnote: `Посилання діє один раз. Термін його дії: ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}. Якщо ви не надсилали цього запиту, не зважайте на цей лист. Пароль залишиться попереднім.`,
  }),
}
