/** The texts in Spanish. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Llave de acceso', 'Dispositivo o gestor de contraseñas', 'Fecha'] as const

const notYours = 'Si no fuiste tú, es posible que otra persona tenga acceso a tu cuenta.'
const ifNotYou = (what: string): string => `Si no fuiste tú, ${what}: es posible que otra persona tenga acceso a tu cuenta.`

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: `Se añadió una llave de acceso a tu cuenta de ${context.appName}`,
    preheader: notYours,
    heading: 'Se añadió una llave de acceso',
    paragraphs: [
      `Esta llave de acceso sirve ahora para iniciar sesión en tu cuenta de ${context.appName}.`,
      ...(notice.isAutomatic ? ['Tu navegador la creó cuando iniciaste sesión con tu contraseña.'] : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Añadida con', 'en')],
    ...context.button('/account/security', 'No fui yo'),
    footnote: ifNotYou('quita la llave de acceso, cambia tu contraseña y revoca tus sesiones'),
  }),
  'passkey-removed': (notice, context) => ({
    subject: `Se quitó una llave de acceso de tu cuenta de ${context.appName}`,
    preheader: notYours,
    heading: 'Se quitó una llave de acceso',
    paragraphs: [`Esta llave de acceso ya no sirve para iniciar sesión en tu cuenta de ${context.appName}.`],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'No fui yo'),
    footnote: `Si fuiste tú, elimina también la llave de acceso en tu gestor de contraseñas. ${ifNotYou('cambia tu contraseña y revoca tus sesiones')}`,
  }),
  'passkey-cloned': (notice, context) => ({
    subject: `Se suspendió una llave de acceso de tu cuenta de ${context.appName}`,
    preheader: 'Es posible que se haya copiado, así que no sirve para iniciar sesión.',
    heading: 'Se suspendió una llave de acceso',
    paragraphs: [
      'Un inicio de sesión usó esta llave de acceso con un contador que retrocedió. Eso ocurre cuando alguien la copió.',
      'No se inició la sesión. Inicia sesión con otro método y después quita la llave de acceso, o permítela de nuevo si conoces el motivo.',
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Revisar tus métodos de inicio de sesión'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration }) => ({
    subject: `${code} es tu código de ${appName}`,
    preheader: `Escríbelo para crear tu cuenta. Vence en ${duration(codeLifetime)}.`,
    heading: 'Tu código para crear una cuenta',
    paragraphs: [
      `Escribe este código para crear una cuenta en ${appName}. Vence en ${duration(codeLifetime)}. No lo compartas nunca.`,
    ],
    facts: [['Código', code]],
    footnote: 'Si no lo solicitaste, puedes ignorar este correo.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName }) =>
    `${appName}: se añadió una llave de acceso a tu cuenta. ¿No fuiste tú? Cambia tu contraseña ahora y revisa la seguridad de tu cuenta.`,
}
