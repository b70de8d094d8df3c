/** The dialog that exports the rows of a list. */
export const messages = {
  startExport: 'Export',
  stopExport: 'Stop',
  exportPaused: ({ time }: { readonly time: string }) => `Too many requests. Continues in ${time}.`,
  format: 'File format',
  command: 'Command',
  copyCommand: 'Copy the command',
  close: 'Close',
} as const
