import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  setPassword: 'Задайте пароль',
  setPasswordLead: ({ email }) => `Придумайте пароль для аккаунта ${email}. Ссылка действует один раз.`,
  savePassword: 'Задать пароль',
  saved: 'Пароль задан',
  savedLead: ({ email }) => `Теперь вы можете войти как ${email}.`,
  signIn: 'Войти',
  linkFailed: 'Эта ссылка больше не действует',
  linkFailedLead: 'Она уже использована, истекла или неполная.',
  linkFailedOperator: 'Если вы управляете этим сайтом, создайте на сервере новую командой:',
  copyCommand: 'Скопировать команду',
}
