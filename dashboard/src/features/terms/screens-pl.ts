import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: 'Zaakceptowane przez Ciebie wersje naszych dokumentów i daty akceptacji.',
  document: 'Dokument',
  version: 'Wersja',
  acceptedAt: 'Zaakceptowano',
  from: 'Skąd',
  unknownDevice: 'Nieznane urządzenie',
  nothingAccepted: 'Brak zaakceptowanych dokumentów',
  nothingAcceptedText: 'Tutaj pojawią się dokumenty, które zaakceptujesz podczas logowania.',
}
