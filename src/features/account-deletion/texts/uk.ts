/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration }) => ({
    subject: `Підтвердьте видалення облікового запису ${appName}`,
    preheader: 'Усі дані облікового запису буде видалено. Цю дію не можна скасувати.',
    heading: 'Видалення облікового запису',
    paragraphs: [
      `Ми отримали запит на видалення вашого облікового запису ${appName}.`,
      'Обліковий запис і всі його дані буде видалено. Цю дію не можна скасувати.',
    ],
    action: { label: 'Видалити обліковий запис', url },
    footnote: `Посилання діє один раз. Термін його дії: ${duration(config.user.deleteUser.deleteTokenExpiresIn)}. Відкрийте його в браузері, у якому ви ввійшли до облікового запису. Якщо ви не надсилали цього запиту, змініть пароль: можливо, доступ до облікового запису має хтось інший.`,
  }),
}
