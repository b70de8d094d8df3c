import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './hosted-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Condiciones',
  acceptTitle: 'Acepta las condiciones',
  acceptLead: ({ appName }) => `Léelas y acéptalas para continuar a tu cuenta de ${appName}.`,
  changedTitle: 'Nuestras condiciones cambiaron',
  changedLead: ({ appName }) => `Lee las novedades y acéptalas para continuar a tu cuenta de ${appName}.`,
  version: ({ version }) => `Versión ${version}`,
  replaces: ({ version, former }) => `Versión ${version}. Aceptaste la versión ${former}.`,
  whatIsNew: 'Novedades:',
  read: ({ title }) => `Leer “${title}” en una pestaña nueva`,
  accept: 'Aceptar y continuar',
  notNow: 'Ahora no',
  postponeUntil: ({ date }) => `Puedes posponerlo hasta el ${date}.`,
  decline: 'Rechazar',
  cancel: 'Cancelar el inicio de sesión',
  declined: 'Rechazaste las condiciones',
  declinedLead: 'Si no las aceptas, no puedes iniciar sesión. Puedes llevarte tus datos y eliminar tu cuenta.',
  exportTitle: 'Tus datos',
  exportText: 'Un archivo JSON con todo lo que está guardado sobre ti.',
  exportData: 'Descargar tus datos',
  deleteTitle: 'Tu cuenta',
  deleteText: ({ email }) => `La cuenta ${email} y todos sus datos se eliminarán. Esta acción no se puede deshacer.`,
  deleteAccount: 'Eliminar cuenta',
  sendLink: 'Enviar enlace de eliminación',
  sendLinkText: ({ email }) =>
    `Enviamos un enlace a ${email}. Ábrelo en este navegador mientras este inicio de sesión siga en espera.`,
  linkSent: ({ email }) => `Enviamos un enlace a ${email}. Tu cuenta no se elimina hasta que lo abras y confirmes.`,
  back: 'Volver a las condiciones',
  signIn: 'Iniciar sesión',
  linkFailed: 'Este enlace no puede eliminar tu cuenta',
  linkFailedLead:
    'El enlace ya se usó o venció, o el inicio de sesión ya no está en espera. Inicia sesión y solicita un enlace nuevo.',
  confirmDeletion: '¿Eliminar tu cuenta?',
}
