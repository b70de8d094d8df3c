import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signInWithPasskey: 'Iniciar sesión con una llave de acceso',
  withPasskey: 'con tu llave de acceso',
  confirmWithPasskey: 'Usar tu llave de acceso',
  passkeyLead: 'Usa tu llave de acceso. Tu dispositivo te pide tu huella, tu rostro o su PIN.',
  cancelled: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o elige otro método.',
  wrongDomain: ({ domain }) =>
    `Las llaves de acceso pertenecen a ${domain}, y este navegador no puede usarlas en esta dirección.`,
  goToDomain: ({ domain }) => `Continuar en ${domain}`,
  notPossible: 'No se pudo usar la llave de acceso aquí. Inténtalo de nuevo o elige otro método.',
}
