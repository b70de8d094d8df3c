import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './social-en.ts'

export const messages: Translation<typeof english> = {
  continueWith: ({ provider }) => `Continuar con ${provider}`,
  withProvider: ({ provider }) => `con ${provider}`,
  or: 'o',
  notSignedIn: 'No se inició la sesión',
  notSignedInWith: ({ provider }) => `No se inició la sesión con ${provider}`,
  accountNotLinked: ({ provider }) =>
    `Ya hay una cuenta con esta dirección de correo. Inicia sesión como lo hacías antes y vincula ${provider} en “Contraseña e inicio de sesión”. Tu dirección de correo debe estar verificada en ${provider}.`,
  noAccountYet: 'Aún no hay ninguna cuenta para este inicio de sesión. Crea una antes.',
  createAccount: 'Crear una cuenta',
  finishInOtherWindow: 'Termina de iniciar sesión en la otra ventana. Después continúa esta página.',
  windowBlocked: 'Tu navegador bloqueó la ventana. Permite las ventanas emergentes de este sitio e inténtalo de nuevo.',
  anotherUser: ({ email, own }) => `Iniciaste sesión como ${email}. Para continuar en esta página, inicia sesión como ${own}.`,
}
