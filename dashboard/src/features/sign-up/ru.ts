import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  invite: 'Ссылка-приглашение',
  inviteTitle: ({ appName }) => `Вас приглашают в сервис ${appName}`,
  inviteLead: 'Создайте аккаунт, чтобы принять приглашение.',
  inviteToOrganization: ({ organization }) => `Вас приглашают в организацию «${organization}»`,
  createAccount: 'Создать аккаунт',
  haveAccount: 'Уже есть аккаунт?',
  signIn: 'Войти',
  joinLead: ({ email, organization }) => `Вы вошли как ${email}. Вы вступите в организацию «${organization}».`,
  join: ({ organization }) => `Вступить в организацию «${organization}»`,
  alreadySignedIn: ({ email }) => `Вы вошли как ${email}. Эта ссылка — для тех, у кого нет аккаунта.`,
  useAnotherAccount: 'Войти в другой аккаунт',
  unusable: 'Эта ссылка-приглашение больше не действует',
  unusableLead: 'Срок её действия истёк, лимит использований исчерпан или она отозвана. Попросите новую.',
  waitingList: 'Список ожидания',
  waitingListLead: ({ appName }) =>
    `Оставьте свой адрес электронной почты. Мы напишем вам, когда можно будет создать аккаунт ${appName}.`,
  email: 'Адрес электронной почты',
  name: 'Имя',
  joinWaitingList: 'Записаться в список ожидания',
  onTheList: 'Спасибо',
  onTheListLead: ({ email }) => `Мы напишем на ${email}, когда можно будет создать аккаунт.`,
  approved: 'Вашу заявку уже одобрили?',
}
