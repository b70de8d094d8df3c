import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-up-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Crear una cuenta con una llave de acceso',
  lead: 'No necesitas contraseña: inicias sesión con tu huella, tu rostro o el PIN de tu dispositivo.',
  name: 'Nombre',
  email: 'Correo electrónico',
  continue: 'Continuar',
  usePassword: 'Usar una contraseña',
  alreadyHaveAccount: '¿Ya tienes una cuenta?',
  signIn: 'Iniciar sesión',
  codeTitle: 'Revisa tu correo',
  codeSent: ({ email }) => `Enviamos un correo a ${email}. Escribe aquí el código que contiene.`,
  code: 'Código',
  sendAgain: 'Enviar de nuevo',
  sendAgainIn: ({ time }) => `Enviar de nuevo en ${time}`,
  sentAgain: 'Te enviamos uno nuevo. El anterior ya no funciona.',
  wrongAddress: '¿Dirección equivocada? Cámbiala',
  createTitle: 'Crea tu llave de acceso',
  createLead: ({ email }) =>
    `La dirección ${email} está verificada. El último paso crea tu cuenta: tu dispositivo te pide tu huella, tu rostro o su PIN.`,
  create: 'Crear llave de acceso',
  notHere: 'Este navegador no puede crear llaves de acceso. Usa otro o activa JavaScript.',
  cancelled: 'No se creó ninguna llave de acceso. Inténtalo de nuevo.',
  notPossible: 'No se pudo crear la llave de acceso aquí. Prueba con otro navegador o dispositivo.',
}
