import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Увійти',
  withPassword: 'за паролем',
  signInLead: ({ appName }) => `Увійдіть до облікового запису ${appName}.`,
  email: 'Електронна адреса',
  emailOrUsername: 'Електронна адреса або ім’я користувача',
  signUpWithPasskey: 'Зареєструватися з ключем доступу',
  signUpByPhone: 'Зареєструватися за номером телефону',
  password: 'Пароль',
  rememberMe: 'Залишатися в обліковому записі',
  forgotPassword: 'Забули пароль?',
  noAccountYet: 'Ще немає облікового запису?',
  createAccount: 'Створити обліковий запис',
  resetWithoutWaiting: 'Скинути пароль без очікування',
  signUp: 'Створення облікового запису',
  signUpLead: ({ appName }) => `Щоб користуватися сервісом ${appName}, потрібен обліковий запис.`,
  name: 'Ім’я',
  submitSignUp: 'Створити обліковий запис',
  signUpClosed: 'Реєстрацію закрито',
  signUpClosedLead: ({ appName }) =>
    `Нові облікові записи ${appName} створює адміністрація. Зверніться до неї, якщо вам потрібен обліковий запис.`,
  onlyInvited:
    'Створити обліковий запис можуть лише запрошені користувачі. Вкажіть електронну адресу, на яку надійшло запрошення.',
  alreadyHaveAccount: 'Уже є обліковий запис?',
}
