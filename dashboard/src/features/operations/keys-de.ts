import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './keys-en.ts'

export const messages: Translation<typeof english> = {
  lead: 'Schlüssel, die JSON Web Tokens signieren. Andere Dienste rufen den öffentlichen Teil ab, um die Tokens zu prüfen.',
  rotate: 'Schlüssel wechseln',
  rotateTitle: 'Neuen Signaturschlüssel veröffentlichen?',
  rotateText: ({ time }) =>
    `Der neue Schlüssel signiert erst nach einer Wartezeit (${time}), damit andere Dienste ihn bis dahin abrufen. Tokens des jetzigen bleiben gültig.`,
  rotated: 'Ein neuer Schlüssel ist veröffentlicht.',
  rotating: 'Ein Wechsel läuft',
  rotatingText: 'Der nächste Schlüssel ist schon veröffentlicht, damit andere Dienste ihn kennen, bevor er signiert.',
  every: ({ time }) => `Ein neuer Schlüssel ersetzt den jetzigen regelmäßig (Abstand: ${time}).`,
  manual: 'Nur Administratoren oder ein Befehl wechseln den Schlüssel: jwt.jwks.rotationInterval ist 0.',
  key: 'Schlüssel',
  status: 'Zustand',
  created: 'Erzeugt',
  next: 'Nächster Schritt',
  upcoming: 'Bald aktiv',
  current: 'Aktuell',
  retired: 'Außer Betrieb',
  signsFrom: 'Signiert',
  rotates: 'Wechsel',
  endsAt: 'Ersetzt',
  publishedUntil: 'Gelöscht',
  notPlanned: 'Kein Wechsel geplant',
  unreadable: 'Sein Geheimnis ist nicht konfiguriert',
  unreadableTitle: 'Ein privater Schlüssel lässt sich nicht entschlüsseln',
  unreadableText:
    'Er wurde mit einem Geheimnis verschlüsselt, das dieser Daemon nicht hat. Tokens, die er signiert hat, bleiben gültig, aber er signiert nicht mehr.',
  actions: ({ key }) => `Aktionen für ${key}`,
  copyId: 'ID kopieren',
  copied: 'Die ID ist kopiert.',
  retire: 'Außer Betrieb nehmen',
  retireTitle: 'Diesen Signaturschlüssel außer Betrieb nehmen?',
  retireText:
    'Sofort signiert ein anderer Schlüssel, den andere Dienste erst abrufen müssen. Tokens dieses Schlüssels bleiben gültig, bis sie ablaufen.',
  retireUpcomingText: 'Er hat noch nichts signiert und wird deshalb gelöscht. Der jetzige Schlüssel signiert weiter.',
  retiredDone: ({ key }) => `${key} signiert nicht mehr.`,
  remove: 'Seine Tokens ablehnen',
  removeTitle: 'Alle Tokens dieses Schlüssels ablehnen?',
  removeText:
    'Der Schlüssel wird nicht mehr veröffentlicht, und ein anderer signiert. Dienste lehnen seine Tokens ab, sobald sie die Schlüssel wieder abrufen, meist nach wenigen Minuten. Das ist nötig, wenn der Schlüssel in falsche Hände geraten ist.',
  removeLabel: 'Schlüssel entfernen',
  typeStart: ({ key }) => [`Geben Sie zur Bestätigung ${key} ein`, `Gib zur Bestätigung ${key} ein`],
  removedDone: ({ key }) => `${key} wird nicht mehr veröffentlicht.`,
  none: 'Noch kein Signaturschlüssel',
  noneText: [
    'Das erste Token erzeugt einen. So listen Sie Schlüssel und Geheimnisse auf:',
    'Das erste Token erzeugt einen. So listest du Schlüssel und Geheimnisse auf:',
  ],
}
