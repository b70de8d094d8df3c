import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: 'Які версії наших документів ви прийняли й коли.',
  document: 'Документ',
  version: 'Версія',
  acceptedAt: 'Прийнято',
  from: 'Звідки',
  unknownDevice: 'Невідомий пристрій',
  nothingAccepted: 'Ви ще нічого не прийняли',
  nothingAcceptedText: 'Тут з’являться документи, які ви приймете під час входу.',
}
