/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName }) => ({
    subject: `Вы в списке ожидания ${appName}`,
    preheader: 'Мы напишем вам, когда можно будет создать аккаунт.',
    heading: 'Вы в списке ожидания',
    paragraphs: [`Спасибо за интерес к сервису ${appName}. Мы отправим вам письмо, когда можно будет создать аккаунт.`],
    footnote: 'Если вы не отправляли этот запрос, не обращайте внимания на это письмо. Аккаунт не создан.',
  }),
  'waiting-list-approved': ({ url }, { appName }) => ({
    subject: `Теперь можно создать аккаунт ${appName}`,
    preheader: 'При регистрации укажите этот адрес электронной почты.',
    heading: 'Теперь можно создать аккаунт',
    paragraphs: [`Подошла ваша очередь в списке ожидания ${appName}. При регистрации укажите этот адрес электронной почты.`],
    action: { label: 'Создать аккаунт', url },
    footnote: 'Если аккаунт вам больше не нужен, не обращайте внимания на это письмо.',
  }),
}
