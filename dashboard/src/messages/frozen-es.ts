import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const messages: Translation<typeof english> = {
  frozen: 'Incidente',
  'sign-up': 'El registro está en pausa.',
  'sign-in': 'El inicio de sesión está en pausa.',
  writes: 'Modo de solo lectura: en este momento no se pueden hacer cambios. Tu sesión sigue iniciada.',
  showIncident: 'Ver el incidente',
}
