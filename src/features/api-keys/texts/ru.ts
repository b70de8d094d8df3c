/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, button }) => ({
    subject: `Для аккаунта ${appName} создан ключ API`,
    preheader: 'Программы с этим ключом действуют от вашего имени. Если его создали не вы, удалите его.',
    heading: 'Создан ключ API',
    paragraphs: [`Для вашего аккаунта ${appName} создан ключ API. Программы с этим ключом действуют от вашего имени.`],
    ...(start !== null && { facts: [['Начало ключа', start]] as const }),
    ...button('/account/api-keys', 'Проверить ключи API'),
    footnote:
      'Если это были вы, ничего делать не нужно. Если нет, удалите ключ и смените пароль: доступ к аккаунту есть у кого-то ещё.',
  }),
}
