import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './social-en.ts'

export const messages: Translation<typeof english> = {
  continueWith: ({ provider }) => `Продолжить через ${provider}`,
  withProvider: ({ provider }) => `через ${provider}`,
  or: 'или',
  notSignedIn: 'Вход не выполнен',
  notSignedInWith: ({ provider }) => `Вход через ${provider} не выполнен`,
  accountNotLinked: ({ provider }) =>
    `Аккаунт с таким адресом электронной почты уже есть. Войдите прежним способом и свяжите ${provider} в разделе «Пароль и вход». Адрес электронной почты должен быть подтверждён в сервисе ${provider}.`,
  noAccountYet: 'Аккаунта для этого способа входа ещё нет. Сначала создайте его.',
  createAccount: 'Создать аккаунт',
  finishInOtherWindow: 'Завершите вход в другом окне. После этого страница обновится.',
  windowBlocked: 'Браузер заблокировал окно. Разрешите всплывающие окна для этого сайта и повторите попытку.',
  anotherUser: ({ email, own }) => `Вы вошли как ${email}. Чтобы продолжить на этой странице, войдите как ${own}.`,
}
