/** The dialog that exports the rows of a list. */
import type { Format } from '../i18n/format.ts'

export const messages = {
  startExport: 'Export',
  format: 'File format',
  command: 'Command',
  copyCommand: 'Copy the command',
  close: 'Close',
  ownExports: 'Your exports',
  ownExportsText: 'The server writes the file, also while this window is closed. It is deleted after a day.',
  running: 'Running',
  paused: 'Paused',
  completed: 'Complete',
  failed: 'Failed',
  rows: ({ count }: { readonly count: number }, { plural }: Format) => plural(count, { one: '# row', other: '# rows' }),
  rowsOf: ({ rows, total }: { readonly rows: string; readonly total: string }) => `${rows} of ${total}`,
  pause: 'Pause',
  resume: 'Resume',
  delete: 'Delete',
  download: 'Download',
} as const
