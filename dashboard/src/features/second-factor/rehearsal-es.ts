import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const messages: Translation<typeof english> = {
  isDue: '¿Aún tienes tus códigos de respaldo?',
  isDueText: 'Compruébalo ahora, y no el día en que los necesites. Escribe uno de ellos y recibirás otro a cambio.',
  tryCode: 'Probar un código de respaldo',
  verify: 'Verificar',
  isRight: 'El código es correcto',
  replacement: 'Sustituye el código que escribiste por este. No se volverá a mostrar.',
  lost: 'Si los perdiste, crea códigos nuevos más abajo.',
  tried: 'Probaste un código de respaldo y recibiste otro a cambio.',
}
