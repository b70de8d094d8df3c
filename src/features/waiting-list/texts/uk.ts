/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName }) => ({
    subject: `Ви в списку очікування ${appName}`,
    preheader: 'Ми напишемо вам, коли можна буде створити обліковий запис.',
    heading: 'Ви в списку очікування',
    paragraphs: [`Дякуємо за інтерес до сервісу ${appName}. Ми надішлемо вам лист, коли можна буде створити обліковий запис.`],
    footnote: 'Якщо ви не надсилали цього запиту, не зважайте на цей лист. Обліковий запис не створено.',
  }),
  'waiting-list-approved': ({ url }, { appName }) => ({
    subject: `Тепер можна створити обліковий запис ${appName}`,
    preheader: 'Під час реєстрації вкажіть цю електронну адресу.',
    heading: 'Тепер можна створити обліковий запис',
    paragraphs: [`Надійшла ваша черга в списку очікування ${appName}. Під час реєстрації вкажіть цю електронну адресу.`],
    action: { label: 'Створити обліковий запис', url },
    footnote: 'Якщо обліковий запис вам більше не потрібен, не зважайте на цей лист.',
  }),
}
