import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: 'Belgelerimizin hangi sürümlerini ne zaman kabul ettiğiniz.',
  document: 'Belge',
  version: 'Sürüm',
  acceptedAt: 'Kabul tarihi',
  from: 'Nereden',
  unknownDevice: 'Bilinmeyen cihaz',
  nothingAccepted: 'Henüz hiçbir şey kabul etmediniz',
  nothingAcceptedText: 'Oturum açarken kabul ettiğiniz belgeler burada görünür.',
}
