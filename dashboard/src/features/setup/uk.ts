import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  setPassword: 'Задайте пароль',
  setPasswordLead: ({ email }) => `Придумайте пароль для облікового запису ${email}. Посилання діє один раз.`,
  savePassword: 'Задати пароль',
  saved: 'Пароль задано',
  savedLead: ({ email }) => `Тепер ви можете ввійти як ${email}.`,
  signIn: 'Увійти',
  linkFailed: 'Це посилання більше не діє',
  linkFailedLead: 'Воно вже використане, застаріле або неповне.',
  linkFailedOperator: 'Якщо ви керуєте цим сайтом, створіть на сервері нове командою:',
  copyCommand: 'Скопіювати команду',
}
