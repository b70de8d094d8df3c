import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Export',
  exportTitle: 'Ihre Daten exportieren',
  exportLead: 'Eine Kopie von allem, was über Sie gespeichert ist.',
  file: 'Eine JSON-Datei',
  contains: 'Ihr Profil, Ihre Anmeldemethoden und Ihre Sitzungen. Sie enthält kein Passwort und keinen Schlüssel.',
  safety: 'Bewahren Sie die Datei sicher auf: Sie enthält persönliche Daten, zum Beispiel Ihre IP-Adressen.',
  download: 'Daten herunterladen',
  downloaded: 'Ihre Daten wurden heruntergeladen.',
}
