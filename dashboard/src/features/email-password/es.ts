import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Iniciar sesión',
  withPassword: 'con tu contraseña',
  signInLead: ({ appName }) => `Continúa a tu cuenta de ${appName}.`,
  email: 'Correo electrónico',
  emailOrUsername: 'Correo o nombre de usuario',
  signUpWithPasskey: 'Crear una cuenta con una llave de acceso',
  signUpByPhone: 'Crear una cuenta con un número de teléfono',
  password: 'Contraseña',
  rememberMe: 'Mantener la sesión iniciada',
  forgotPassword: '¿Olvidaste tu contraseña?',
  noAccountYet: '¿Aún no tienes una cuenta?',
  createAccount: 'Crear una cuenta',
  resetWithoutWaiting: 'Restablecer tu contraseña sin esperar',
  signUp: 'Crea tu cuenta',
  signUpLead: ({ appName }) => `Necesitas una cuenta para usar ${appName}.`,
  name: 'Nombre',
  submitSignUp: 'Crear cuenta',
  signUpClosed: 'El registro está cerrado',
  signUpClosedLead: ({ appName }) => `Los administradores de ${appName} crean las cuentas nuevas. Pídeles una si la necesitas.`,
  onlyInvited:
    'Solo quienes recibieron una invitación pueden crear una cuenta. Usa la dirección de correo que recibió la invitación.',
  alreadyHaveAccount: '¿Ya tienes una cuenta?',
}
