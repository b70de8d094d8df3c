import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Вход',
  signInLead: ({ appName }) => `Войдите в аккаунт ${appName}.`,
  noAccountYet: 'Ещё нет аккаунта?',
  createAccount: 'Создать аккаунт',
  accountCreated: 'Аккаунт готов. Войдите, чтобы продолжить.',
  signedInAs: 'Вы вошли в аккаунт',
  signedInLead: ({ email }) => `Вы вошли как ${email}.`,
  continueAs: ({ name }) => `Продолжить как ${name}`,
  continueAsWith: ({ name, how }) => `Продолжить как ${name} ${how}`,
  notAnn: ({ name }) => `Вы не ${name}? Войти в другой аккаунт`,
  email: 'Электронная почта',
  emailOrUsername: 'Электронная почта или имя пользователя',
  emailOrPhone: 'Электронная почта или номер телефона',
  emailUsernameOrPhone: 'Электронная почта, имя пользователя или телефон',
  phoneNumber: 'Номер телефона',
  continue: 'Продолжить',
  change: 'Изменить',
  anotherWay: 'Другой способ',
  useAnotherAccount: 'Войти в другой аккаунт',
  addAccount: 'Добавить другой аккаунт',
  stayLead: ({ email }) => `Вы останетесь и в аккаунте ${email}.`,
  backToAccount: 'Вернуться в аккаунт',
  noMethod: 'На этом сайте не включён ни один способ входа.',
}
