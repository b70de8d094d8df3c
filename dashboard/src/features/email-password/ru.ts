import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Войти',
  withPassword: 'по паролю',
  signInLead: ({ appName }) => `Войдите в аккаунт ${appName}.`,
  email: 'Электронная почта',
  emailOrUsername: 'Электронная почта или имя пользователя',
  signUpWithPasskey: 'Зарегистрироваться с ключом доступа',
  signUpByPhone: 'Зарегистрироваться по номеру телефона',
  password: 'Пароль',
  rememberMe: 'Оставаться в аккаунте',
  forgotPassword: 'Забыли пароль?',
  noAccountYet: 'Ещё нет аккаунта?',
  createAccount: 'Создать аккаунт',
  resetWithoutWaiting: 'Сбросить пароль без ожидания',
  signUp: 'Создание аккаунта',
  signUpLead: ({ appName }) => `Чтобы пользоваться сервисом ${appName}, нужен аккаунт.`,
  name: 'Имя',
  submitSignUp: 'Создать аккаунт',
  signUpClosed: 'Регистрация закрыта',
  signUpClosedLead: ({ appName }) => `Новые аккаунты ${appName} создаёт администрация. Обратитесь к ней, если вам нужен аккаунт.`,
  onlyInvited:
    'Создать аккаунт могут только приглашённые пользователи. Укажите адрес электронной почты, на который пришло приглашение.',
  alreadyHaveAccount: 'Уже есть аккаунт?',
}
