import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  setPassword: 'Ustaw hasło',
  setPasswordLead: ({ email }) => `Wybierz hasło do konta ${email}. Ten link działa jeden raz.`,
  savePassword: 'Ustaw hasło',
  saved: 'Hasło zostało ustawione',
  savedLead: ({ email }) => `Możesz się teraz zalogować jako ${email}.`,
  signIn: 'Zaloguj się',
  linkFailed: 'Ten link już nie działa',
  linkFailedLead: 'Został już użyty, wygasł lub jest niepełny.',
  linkFailedOperator: 'Jeśli zarządzasz tym serwisem, utwórz na serwerze nowy poleceniem:',
  copyCommand: 'Kopiuj polecenie',
}
