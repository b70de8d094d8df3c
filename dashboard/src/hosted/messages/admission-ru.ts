import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './admission-en.ts'

export const messages: Translation<typeof english> = {
  invitationOpened: 'Приглашение готово. Создайте аккаунт, чтобы принять его.',
  needsInvitation: 'Чтобы создать аккаунт, нужно приглашение. Сначала откройте ссылку-приглашение.',
  needsInvitationOrAddress:
    'Чтобы создать аккаунт, нужно приглашение. Сначала откройте ссылку-приглашение или укажите адрес электронной почты, на который оно пришло.',
  needsApproval: 'Аккаунт можно создать после одобрения заявки.',
  notYet: 'С этим адресом электронной почты пока нельзя создать аккаунт. Запишитесь в список ожидания, и мы напишем вам.',
  joinWaitingList: 'Записаться в список ожидания',
}
