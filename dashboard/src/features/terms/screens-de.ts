import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: [
    'Welche Fassungen unserer Dokumente Sie akzeptiert haben, und wann.',
    'Welche Fassungen unserer Dokumente du akzeptiert hast, und wann.',
  ],
  document: 'Dokument',
  version: 'Fassung',
  acceptedAt: 'Akzeptiert',
  from: 'Von',
  unknownDevice: 'Unbekanntes Gerät',
  nothingAccepted: ['Sie haben noch nichts akzeptiert', 'Du hast noch nichts akzeptiert'],
  nothingAcceptedText: [
    'Dokumente, die Sie bei einer Anmeldung akzeptieren, erscheinen hier.',
    'Dokumente, die du bei einer Anmeldung akzeptierst, erscheinen hier.',
  ],
}
