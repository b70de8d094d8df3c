/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration }) => ({
    subject: `Задайте пароль облікового запису ${appName}`,
    preheader: `Задайте пароль. Термін дії посилання: ${duration(config.seed.setupLinkExpiresIn)}.`,
    heading: 'Задайте пароль',
    paragraphs: [
      `Ваш обліковий запис ${appName} перенесено до нової системи входу. Задайте пароль, щоб увійти знову. Усе інше в обліковому записі залишилося без змін.`,
    ],
    action: { label: 'Задати пароль', url },
    footnote: `Посилання діє один раз. Термін його дії: ${duration(config.seed.setupLinkExpiresIn)}. Ви отримали його, бо хтось намагався увійти з вашою адресою електронної пошти. Якщо це були не ви, не зважайте на цей лист.`,
  }),
}
