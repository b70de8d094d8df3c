import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: 'Какие версии наших документов вы приняли и когда.',
  document: 'Документ',
  version: 'Версия',
  acceptedAt: 'Принято',
  from: 'Откуда',
  unknownDevice: 'Неизвестное устройство',
  nothingAccepted: 'Вы пока ничего не приняли',
  nothingAcceptedText: 'Здесь появятся документы, которые вы примете при входе.',
}
