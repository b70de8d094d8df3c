export const messages = {
  exportData: 'Export',
  exportTitle: 'Export your data',
  exportLead: 'A copy of everything that is stored about you.',
  file: 'One JSON file',
  contains: 'Your profile, your sign-in methods and your sessions. It contains no password and no key.',
  safety: 'Keep the file in a safe place: it has personal data, such as your IP addresses.',
  download: 'Download data',
  downloaded: 'Your data was downloaded.',
} as const
