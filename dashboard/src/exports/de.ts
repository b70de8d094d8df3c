import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Exportieren',
  stopExport: 'Anhalten',
  exportPaused: ({ time }) => `Zu viele Anfragen. Weiter in ${time}.`,
  format: 'Dateiformat',
  command: 'Befehl',
  copyCommand: 'Befehl kopieren',
  close: 'Schließen',
}
