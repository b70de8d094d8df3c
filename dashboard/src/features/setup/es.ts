import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  setPassword: 'Establece tu contraseña',
  setPasswordLead: ({ email }) => `Elige la contraseña para ${email}. Este enlace funciona una sola vez.`,
  savePassword: 'Establecer contraseña',
  saved: 'Tu contraseña está establecida',
  savedLead: ({ email }) => `Ya puedes iniciar sesión como ${email}.`,
  signIn: 'Iniciar sesión',
  linkFailed: 'Este enlace ya no funciona',
  linkFailedLead: 'Ya se usó, venció o está incompleto.',
  linkFailedOperator: 'Si eres responsable de este sitio, crea uno nuevo en el servidor con:',
  copyCommand: 'Copiar el comando',
}
