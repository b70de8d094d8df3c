import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: 'Jakie wersje naszych dokumentów i kiedy zostały przez Ciebie zaakceptowane.',
  document: 'Dokument',
  version: 'Wersja',
  acceptedAt: 'Zaakceptowano',
  from: 'Skąd',
  unknownDevice: 'Nieznane urządzenie',
  nothingAccepted: 'Nic jeszcze nie zostało zaakceptowane',
  nothingAcceptedText: 'Tutaj pojawią się dokumenty, które zaakceptujesz podczas logowania.',
}
