import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Iniciar sesión',
  signInLead: ({ appName }) => `Continúa a tu cuenta de ${appName}.`,
  noAccountYet: '¿Aún no tienes una cuenta?',
  createAccount: 'Crear una cuenta',
  accountCreated: 'Tu cuenta está lista. Inicia sesión para continuar.',
  signedInAs: 'Tienes la sesión iniciada',
  signedInLead: ({ email }) => `Tienes la sesión iniciada como ${email}.`,
  continueAs: ({ name }) => `Continuar como ${name}`,
  continueAsWith: ({ name, how }) => `Continuar como ${name} ${how}`,
  notAnn: ({ name }) => `¿No eres ${name}? Usa otra cuenta`,
  email: 'Correo electrónico',
  emailOrUsername: 'Correo o nombre de usuario',
  emailOrPhone: 'Correo o número de teléfono',
  emailUsernameOrPhone: 'Correo, nombre de usuario o teléfono',
  phoneNumber: 'Número de teléfono',
  continue: 'Continuar',
  change: 'Cambiar',
  anotherWay: 'Otro método',
  useAnotherAccount: 'Usar otra cuenta',
  addAccount: 'Añadir otra cuenta',
  stayLead: ({ email }) => `Tu sesión como ${email} sigue iniciada.`,
  backToAccount: 'Volver a tu cuenta',
  noMethod: 'Este sitio no tiene ningún método de inicio de sesión activado.',
}
