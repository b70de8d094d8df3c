import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  deleteAccount: 'Удалить аккаунт',
  deleteLead: 'Удаление аккаунта нельзя отменить.',
  whatIsDeleted: 'Что будет удалено',
  confirmation: 'Подтверждение',
  confirmationText: 'Чтобы не удалить аккаунт по ошибке.',
  deletedProfile: 'Ваш профиль и все данные в нём',
  deletedMethods: 'Ваши способы входа: войти снова не получится',
  deletedSessions: 'Ваши сеансы: они завершатся на всех устройствах и в приложениях',
  deletedOrganizations: 'Ваши организации, в которых нет других участников',
  handOverFirst:
    'Вы последний владелец организации, в которой есть другие участники? Сначала сделайте владельцем другого участника.',
  organizationsLink: 'Ваши организации',
  exportFirst: 'Хотите сохранить копию?',
  exportLink: 'Экспортировать данные',
  typeEmail: ({ email }) => `Введите ${email} для подтверждения`,
  password: 'Ваш пароль',
  sendLink: 'Отправить ссылку для удаления',
  sendLinkText: ({ email }) => `Мы отправим ссылку на ${email}. Откройте её и подтвердите удаление аккаунта.`,
  linkSent: 'Проверьте почту',
  linkSentText: ({ email }) =>
    `Мы отправили ссылку на ${email}. Аккаунт не будет удалён, пока вы не откроете её и не подтвердите удаление.`,
  confirmDeletion: 'Удалить аккаунт?',
  confirmDeletionLead: 'Этот аккаунт и все его данные будут удалены. Это действие нельзя отменить.',
  keepAccount: 'Оставить аккаунт',
  linkFailed: 'По этой ссылке нельзя удалить ваш аккаунт',
  linkFailedLead: ({ email }) =>
    `Вы вошли как ${email}. Ссылка уже использована, истекла, неполная или относится к другому аккаунту.`,
  requestNewLink: 'Запросить новую ссылку',
  useAnotherAccount: 'Войти в другой аккаунт',
}
