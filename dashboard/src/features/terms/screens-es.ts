import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: 'Qué versiones de nuestros documentos aceptaste, y cuándo.',
  document: 'Documento',
  version: 'Versión',
  acceptedAt: 'Fecha de aceptación',
  from: 'Desde',
  unknownDevice: 'Dispositivo desconocido',
  nothingAccepted: 'Aún no aceptaste nada',
  nothingAcceptedText: 'Aquí aparecen los documentos que aceptas al iniciar sesión.',
}
