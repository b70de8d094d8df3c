import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  somethingWentWrong: 'Algo salió mal',
  lastStepFailed:
    'No se pudo completar el último paso. Vuelve atrás e inténtalo de nuevo. Si vuelve a fallar, contacta con el responsable de este sitio.',
  errorCode: 'Código de error',
  requestId: 'ID de la solicitud',
  returnToApplication: 'Volver a la app',
  emailChange: 'Cambio de dirección de correo',
  emailChanged: 'Tu dirección de correo cambió',
  emailChangedTo: ({ email }) => `Ahora inicias sesión con ${email}.`,
  emailChangedLead: 'A partir de ahora, inicia sesión con tu nueva dirección de correo.',
  confirmNew: 'Un paso más: abre el segundo correo',
  confirmNewLead: 'Confirmaste el cambio. Enviamos otro correo a tu nueva dirección. Abre el enlace que contiene para terminar.',
  verifyNewLead: ({ email }) => `Enviamos un correo a ${email}. Abre el enlace que contiene para verificar la dirección.`,
  emailNotChanged: 'Tu dirección de correo no cambió',
  unauthorized:
    'Abre el enlace en un navegador en el que tengas la sesión iniciada en la cuenta cuya dirección de correo cambia.',
  changeAgain: 'Puedes solicitar el cambio de nuevo en tu cuenta.',
  accountDeletion: 'Eliminación de la cuenta',
  accountDeleted: 'Tu cuenta se eliminó',
  accountDeletedLead: ({ appName }) =>
    `Tu cuenta de ${appName} y sus datos ya no existen, y la sesión se cerró en todos los dispositivos.`,
  signedOut: 'Cerraste la sesión',
  signedOutLead: ({ appName }) => `Ya no tienes la sesión iniciada en ${appName} en este navegador.`,
}
