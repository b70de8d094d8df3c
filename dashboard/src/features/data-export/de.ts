import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Export',
  exportTitle: ['Ihre Daten exportieren', 'Deine Daten exportieren'],
  exportLead: ['Eine Kopie von allem, was über Sie gespeichert ist.', 'Eine Kopie von allem, was über dich gespeichert ist.'],
  file: 'Eine JSON-Datei',
  contains: [
    'Ihr Profil, Ihre Anmeldemethoden und Ihre Sitzungen. Sie enthält kein Passwort und keinen Schlüssel.',
    'Dein Profil, deine Anmeldemethoden und deine Sitzungen. Sie enthält kein Passwort und keinen Schlüssel.',
  ],
  safety: [
    'Bewahren Sie die Datei sicher auf: Sie enthält persönliche Daten, zum Beispiel Ihre IP-Adressen.',
    'Bewahre die Datei sicher auf: Sie enthält persönliche Daten, zum Beispiel deine IP-Adressen.',
  ],
  download: 'Daten herunterladen',
  downloaded: ['Ihre Daten wurden heruntergeladen.', 'Deine Daten wurden heruntergeladen.'],
}
