/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration }) => ({
    subject: `Подтвердите удаление аккаунта ${appName}`,
    preheader: 'Все данные аккаунта будут удалены. Это действие нельзя отменить.',
    heading: 'Удаление аккаунта',
    paragraphs: [
      `Мы получили запрос на удаление вашего аккаунта ${appName}.`,
      'Аккаунт и все его данные будут удалены. Это действие нельзя отменить.',
    ],
    action: { label: 'Удалить аккаунт', url },
    footnote: `Ссылка действует один раз. Срок её действия: ${duration(config.user.deleteUser.deleteTokenExpiresIn)}. Откройте её в браузере, в котором вы вошли в аккаунт. Если вы не отправляли этот запрос, смените пароль: возможно, доступ к аккаунту есть у кого-то ещё.`,
  }),
}
