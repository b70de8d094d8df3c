import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Eksportuj',
  format: 'Format pliku',
  command: 'Polecenie',
  copyCommand: 'Kopiuj polecenie',
  close: 'Zamknij',
  ownExports: 'Twoje eksporty',
  ownExportsText: 'Serwer zapisuje plik, nawet gdy to okno jest zamknięte. Po dobie plik zostanie usunięty.',
  running: 'W toku',
  paused: 'Wstrzymany',
  completed: 'Gotowy',
  failed: 'Błąd',
  rows: ({ count }, { plural }) => plural(count, { one: '# wiersz', few: '# wiersze', many: '# wierszy', other: '# wiersza' }),
  rowsOf: ({ rows, total }) => `${rows} z ${total}`,
  pause: 'Wstrzymaj',
  resume: 'Wznów',
  delete: 'Usuń',
  download: 'Pobierz',
}
