import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  lockAccount: 'Bloquear mi cuenta',
  question: '¿Bloquear tu cuenta?',
  lead: ({ email }) =>
    `Enviamos el enlace a ${email}. Si no reconoces el inicio de sesión o el cambio que menciona ese correo, bloquea tu cuenta ahora.`,
  textLead: 'Enviamos el enlace por SMS. Si no reconoces el cambio que menciona ese mensaje, bloquea tu cuenta ahora.',
  ends: 'Esto termina inmediatamente:',
  sessions: ({ sessions }, { plural }) =>
    plural(sessions, { one: '# dispositivo con la sesión iniciada', other: '# dispositivos con la sesión iniciada' }),
  apiKeys: ({ apiKeys }, { plural }) => plural(apiKeys, { one: '# clave de API', other: '# claves de API' }),
  linksAndCodes: ({ linksAndCodes }, { plural }) =>
    plural(linksAndCodes, { one: '# enlace o código pendiente', other: '# enlaces y códigos pendientes' }),
  linkedAccounts: ({ linkedAccounts }, { plural }) =>
    plural(linkedAccounts, {
      one: 'El acceso guardado a # cuenta vinculada',
      other: 'El acceso guardado a # cuentas vinculadas',
    }),
  trustedBrowsers: ({ trustedBrowsers }, { plural }) =>
    plural(trustedBrowsers, { one: '# navegador de confianza', other: '# navegadores de confianza' }),
  everySignIn: 'Todo inicio de sesión, con cualquier método, hasta que se desbloquee la cuenta',
  opensByReset: 'Después desbloqueas tu cuenta con una contraseña nueva.',
  opensBySupport:
    'La dirección de correo de la cuenta cambió, o la cuenta ya se bloqueó antes. Por eso, solo nuestro equipo de ayuda puede desbloquearla, cuando confirme que es tuya.',
  textOpens: 'Después, solo nuestro equipo de ayuda puede desbloquearla, cuando confirme que es tuya.',
  isLocked: 'La cuenta ya está bloqueada. Puedes volver a bloquearla con este enlace.',
  wasMe: 'Fui yo: no hacer nada',
  locked: 'Tu cuenta está bloqueada',
  lockedLead: 'La sesión se cerró en todos los dispositivos y nadie puede iniciarla.',
  nextReset: 'Ahora elige una contraseña nueva. Con ella desbloqueas tu cuenta.',
  nextSupport:
    'Solo nuestro equipo de ayuda puede desbloquearla. Contacta con el equipo y explica que otra persona hizo cambios en tu cuenta.',
  resetPassword: 'Restablecer contraseña',
  contactSupport: 'Contactar con el equipo de ayuda',
  linkFailed: 'Este enlace no funciona',
  linkFailedLead:
    'Venció o ya se usó. Si otra persona tiene acceso a tu cuenta, restablece tu contraseña o contacta con el equipo de ayuda.',
}
