import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const messages: Translation<typeof english> = {
  frozen: 'Incydent',
  'sign-up': 'Rejestracja jest wstrzymana.',
  'sign-in': 'Logowanie jest wstrzymane.',
  writes: 'Tryb tylko do odczytu: zmiany są teraz niemożliwe. Pozostajesz w swoim koncie.',
  showIncident: 'Pokaż incydent',
}
