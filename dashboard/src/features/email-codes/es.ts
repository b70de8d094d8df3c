import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signInByEmail: 'Iniciar sesión por correo',
  withEmail: 'por correo',
  emailCode: 'Enviar un código por correo',
  emailLink: 'Enviar un enlace por correo',
  byEmailTitle: 'Iniciar sesión por correo',
  codeLead: 'Te enviamos un código. No necesitas contraseña.',
  linkLead: 'Te enviamos un enlace. No necesitas contraseña.',
  codeLeadSignUp: 'Te enviamos un código. Si aún no tienes una cuenta, la creamos.',
  linkLeadSignUp: 'Te enviamos un enlace. Si aún no tienes una cuenta, la creamos.',
  email: 'Correo electrónico',
  sendCode: 'Enviar código',
  sendLink: 'Enviar enlace',
  otherMethods: 'Otros métodos de inicio de sesión',
  checkEmail: 'Revisa tu correo',
  codeSent: ({ email }) =>
    `Enviamos un código a ${email}, salvo que no se pueda crear una cuenta para esa dirección. Escríbelo aquí.`,
  linkSent: ({ email }) =>
    `Enviamos un correo a ${email}, salvo que no se pueda crear una cuenta para esa dirección. Abre el enlace en este navegador o escribe aquí el código.`,
  requestedAt: ({ time }) => `El correo se solicitó a las ${time}.`,
  code: 'Código',
  openMailbox: ({ provider }) => `Abrir ${provider}`,
  signIn: 'Iniciar sesión',
  sendAgain: 'Enviar de nuevo',
  sendAgainIn: ({ time }) => `Enviar de nuevo en ${time}`,
  sentAgain: 'Te enviamos uno nuevo. El anterior ya no funciona.',
  wrongAddress: '¿Dirección equivocada? Cámbiala',
  linkTitle: 'Iniciar sesión con este enlace',
  askedAt: ({ email, time }) => `A las ${time} se solicitó un enlace para iniciar sesión como ${email}.`,
  askedAtFrom: ({ email, time, device }) =>
    `A las ${time} se solicitó un enlace para iniciar sesión como ${email} con ${device}.`,
  createsAccount: 'Todavía no hay ninguna cuenta con esta dirección. Al iniciar sesión se crea una.',
  notRequested: 'Si no lo solicitaste, cierra esta página. Nunca des el código a nadie.',
  signInHere: 'Iniciar sesión en este dispositivo',
  askedElsewhere: 'Lo solicité en otro dispositivo',
  switchesFrom: ({ current, email }) =>
    `Tienes la sesión iniciada como ${current}. Al iniciar sesión, cambias a la cuenta ${email}.`,
  codeTitle: 'Escribe este código en el otro dispositivo',
  codeText: 'Escríbelo en la ventana en la que solicitaste el enlace. Hazlo solo si lo solicitaste tú.',
  openThere: 'Abre el enlace donde lo solicitaste',
  openThereText: 'Este enlace solo funciona en el navegador en el que se solicitó.',
  proveTitle: '¿Es tu cuenta?',
  proveLead: ({ email }) =>
    `Alguien creó una cuenta con ${email} en otro navegador. Si fuiste tú, escribe la contraseña que elegiste.`,
  password: 'Contraseña',
  notMe: 'No fui yo, u olvidé la contraseña',
  takeOverTitle: 'Toma el control de esta cuenta',
  takeOverEnds:
    'Todo lo anterior termina: todas las sesiones, la contraseña, las cuentas sociales vinculadas, el número de teléfono y las claves de API. La persona que creó la cuenta pierde el acceso.',
  takeOver: 'Iniciar sesión y quitar los demás accesos',
  back: 'Volver',
  linkEnded: 'Este enlace no funciona',
  newLink: 'Obtener un enlace nuevo',
}
