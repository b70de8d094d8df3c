/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, button }) => ({
    subject: `Для облікового запису ${appName} створено ключ API`,
    preheader: 'Програми з цим ключем діють від вашого імені. Якщо його створили не ви, видаліть його.',
    heading: 'Створено ключ API',
    paragraphs: [`Для вашого облікового запису ${appName} створено ключ API. Програми з цим ключем діють від вашого імені.`],
    ...(start !== null && { facts: [['Початок ключа', start]] as const }),
    ...button('/account/api-keys', 'Перевірити ключі API'),
    footnote:
      'Якщо це були ви, нічого робити не потрібно. Якщо ні, видаліть ключ і змініть пароль: доступ до облікового запису має хтось інший.',
  }),
}
