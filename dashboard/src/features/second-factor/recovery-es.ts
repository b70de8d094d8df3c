import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const messages: Translation<typeof english> = {
  timeLeft: ({ time }) => `Tiempo restante para iniciar sesión: ${time}.`,
  lostFactors: 'Perdí mi segundo factor',
  recover: 'Segundo factor perdido',
  recoverLead: 'Si aún tienes uno de estos, úsalo. Así tus segundos factores se quedan como están.',
  noneOfThese: 'No tengo ninguno de estos',
  resetText: ({ hours }, { plural }) =>
    `Puedes hacer que se quiten todos tus segundos factores. El plazo es de ${hours % 24 === 0 ? plural(hours / 24, { one: '# día', other: '# días' }) : plural(hours, { one: '# hora', other: '# horas' })}, para que puedas cancelarlo si lo solicitó otra persona.`,
  toEmail: ({ to }) => `Enviamos un código por correo a ${unbroken(to)}.`,
  toBoth: ({ to, number }) =>
    `Enviamos un código por correo a ${unbroken(to)} y otro por SMS al ${unbroken(number)}. Se necesitan los dos.`,
  toPhone: ({ to }) => `Enviamos un código por SMS al ${unbroken(to)}.`,
  sendCodes: 'Enviar códigos',
  newCodesIn: ({ time }) => `Códigos nuevos en ${time}`,
  sendNewCodes: 'Enviar códigos nuevos',
  emailCode: 'Código del correo',
  smsCode: 'Código del SMS',
  requestReset: 'Solicitar restablecimiento',
  notPossible: 'Solo un administrador puede restablecer tus segundos factores.',
  askAdministrators: 'Puedes pedírselo a un administrador de tu organización:',
  waiting: ({ time }) => `Hay un restablecimiento pendiente. Se aplicará el ${time}.`,
  requested: 'Se solicitó el restablecimiento',
  requestedLead: ({ time }) => `El ${time} se quitarán tus segundos factores. Después, inicia sesión y configura otros.`,
  requestedText:
    'Te enviamos correos al respecto. Un inicio de sesión con un segundo factor cancela el restablecimiento, y también el enlace de los correos.',
  toSignIn: 'Volver al inicio de sesión',
  cancelQuestion: '¿Cancelar el restablecimiento?',
  cancelLead: 'Tus segundos factores se quedan como están.',
  cancelReset: 'Cancelar restablecimiento',
  cancelled: 'Se canceló el restablecimiento',
  cancelledLead:
    'Tus segundos factores se quedan como están. Si no solicitaste el restablecimiento, cambia tu contraseña: otra persona la conoce.',
  changePassword: 'Cambiar contraseña',
  linkFailed: 'Este enlace no funciona',
  linkFailedLead: 'El restablecimiento ya se canceló o ya se aplicó.',
}
