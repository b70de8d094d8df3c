import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-en.ts'

export const messages: Translation<typeof english> = {
  document: 'Dokument',
  version: 'Fassung',
  termsLead: 'Wie viele Benutzer jede Fassung der Dokumente akzeptiert haben.',
  state: 'Zustand',
  inForce: 'In Kraft',
  announced: 'Angekündigt',
  former: 'Früher',
  accepted: 'Akzeptiert',
  postponed: 'Aufgeschoben',
  outstanding: 'Ausstehend',
  deleted: 'Von gelöschten Benutzern',
  acceptedTerms: 'Akzeptierte Bedingungen',
  acceptedAt: 'Akzeptiert am',
  from: 'Gerät und IP-Adresse',
  unknownDevice: 'Unbekanntes Gerät',
  nothingAccepted: 'Der Benutzer hat noch nichts akzeptiert.',
  export: 'Akzeptierungen exportieren',
  exportText: 'Jede Akzeptierung mit Benutzer, Dokument, Fassung, Hash, Zeitpunkt, IP-Adresse und Gerät, die neueste zuerst.',
}
