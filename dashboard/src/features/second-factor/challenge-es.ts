import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const messages: Translation<typeof english> = {
  security: 'Seguridad',
  title: 'Segundo factor',
  totpLead: 'Escribe el código que muestra tu app de autenticación.',
  smsLead: ({ to }) => `Enviamos un código por SMS al ${unbroken(to)}.`,
  emailLead: ({ to }) => `Enviamos un código por correo a ${unbroken(to)}.`,
  smsSent: ({ to }) => `Se envió un código por SMS al ${unbroken(to)}.`,
  emailSent: ({ to }) => `Se envió un código por correo a ${unbroken(to)}.`,
  backupLead: 'Escribe uno de tus códigos de respaldo. Cada uno funciona una sola vez.',
  code: 'Código',
  clockHint: 'Los códigos dependen de la hora: deja que tu teléfono la ajuste automáticamente.',
  backupCode: 'Código de respaldo',
  backupHint: ({ count }, { plural }) =>
    plural(count, { one: 'Te queda # código de respaldo.', other: 'Te quedan # códigos de respaldo.' }),
  trust: ({ count }, { plural }) =>
    plural(count, {
      one: 'Confiar en este navegador durante # día',
      other: 'Confiar en este navegador durante # días',
    }),
  signIn: 'Iniciar sesión',
  confirm: 'Confirmar',
  sendCode: 'Enviar código',
  sendNewCode: 'Enviar un código nuevo',
  newCodeIn: ({ time }) => `Código nuevo en ${time}`,
  newCodeSent: 'Se envió un código nuevo.',
  anotherWay: 'Otro método',
  totpWay: 'Código de tu app de autenticación',
  smsWay: ({ to }) => `Código por SMS al ${unbroken(to)}`,
  emailWay: ({ to }) => `Código por correo a ${unbroken(to)}`,
  backupWay: ({ count }, { plural }) =>
    plural(count, { one: 'Código de respaldo (queda #)', other: 'Códigos de respaldo (quedan #)' }),
  noWay: 'Ninguno de tus segundos factores se puede usar ahora. Inicia sesión de otra manera o pide ayuda.',
  cancel: 'Cancelar el inicio de sesión',
  startAgain: 'Empezar de nuevo',
  tooNew: ({ time }) => `Añadiste este segundo factor hace poco. Usa otro o espera hasta el ${time}.`,
}
