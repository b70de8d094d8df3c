import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Exportieren',
  format: 'Dateiformat',
  command: 'Befehl',
  copyCommand: 'Befehl kopieren',
  close: 'Schließen',
  ownExports: ['Ihre Exporte', 'Deine Exporte'],
  ownExportsText: 'Der Server schreibt die Datei, auch wenn dieses Fenster geschlossen ist. Sie wird nach einem Tag gelöscht.',
  running: 'Läuft',
  paused: 'Angehalten',
  completed: 'Fertig',
  failed: 'Fehlgeschlagen',
  rows: ({ count }, { plural }) => plural(count, { one: '# Zeile', other: '# Zeilen' }),
  rowsOf: ({ rows, total }) => `${rows} von ${total}`,
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  delete: 'Löschen',
  download: 'Herunterladen',
}
