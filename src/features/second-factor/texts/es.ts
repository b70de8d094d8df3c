/** The texts in Spanish. */
import type { MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-es.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'Segundo factor',
        time: 'Fecha',
        device: 'Dispositivo',
        ipAddress: 'Dirección IP',
        on: 'en',
        review: 'Revisar tu seguridad',
      },
      names: { totp: 'App de autenticación', otp: 'Códigos enviados', passkey: 'Llave de acceso' },
    },
    write,
  )

const notYou =
  'Si no fuiste tú, cambia tu contraseña ahora y revisa tus segundos factores: es posible que otra persona tenga acceso a tu cuenta.'
const codesLeft = ({ plural }: TextContext, left: number | null) =>
  plural(left ?? 0, { one: 'Te queda # código de respaldo', other: 'Te quedan # códigos de respaldo' })

const added = (appName: string, what: string) =>
  `${appName}: ${what} ¿No fuiste tú? Cambia tu contraseña ahora y revisa la seguridad de tu cuenta.`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app }) => ({
    subject: `Se añadió un segundo factor a tu cuenta de ${app}`,
    heading: 'Se añadió un segundo factor',
    paragraphs: ['A partir de ahora, el inicio de sesión en tu cuenta pide un segundo factor.'],
    footnote: notYou,
  })),
  'two-factor-disabled': notice((_, { appName: app }) => ({
    subject: `Se quitó un segundo factor de tu cuenta de ${app}`,
    heading: 'Se quitó un segundo factor',
    paragraphs: ['Ya no sirve para iniciar sesión en tu cuenta.'],
    footnote: notYou,
  })),
  'backup-code-used': notice(({ left }, context) => ({
    subject: `Se usó un código de respaldo de tu cuenta de ${context.appName}`,
    heading: 'Se usó un código de respaldo',
    paragraphs: [`${codesLeft(context, left)}.`],
    footnote: notYou,
  })),
  'backup-codes-low': notice(({ left }, context) => ({
    subject: `Quedan pocos códigos de respaldo para tu cuenta de ${context.appName}`,
    heading: codesLeft(context, left),
    paragraphs: ['Crea códigos de respaldo nuevos para poder iniciar sesión si pierdes tu teléfono.'],
    footnote: 'Los códigos anteriores dejan de funcionar cuando creas otros.',
  })),
  'backup-codes-created': notice((_, { appName: app }) => ({
    subject: `Códigos de respaldo nuevos para tu cuenta de ${app}`,
    heading: 'Se crearon códigos de respaldo nuevos',
    paragraphs: ['Los códigos anteriores ya no funcionan.'],
    footnote: notYou,
  })),
  'password-may-be-known': notice((_, { appName: app }) => ({
    subject: `Es posible que otra persona conozca tu contraseña de ${app}`,
    heading: 'Es posible que otra persona conozca tu contraseña',
    paragraphs: ['Alguien dio la contraseña correcta u otra prueba, pero no el segundo factor. No tiene acceso a tu cuenta.'],
    footnote: 'Si fuiste tú, no tienes que hacer nada. Si no, cambia tu contraseña ahora.',
  })),
  'trusted-browser-copied': notice((_, { appName: app }) => ({
    subject: `Se copió un navegador de confianza de tu cuenta de ${app}`,
    heading: 'Se copió un navegador de confianza',
    paragraphs: [
      'Alguien usó una copia antigua de la cookie de uno de tus navegadores de confianza. Ese navegador ya no es de confianza.',
    ],
    footnote: 'Revisa tus sesiones y cambia tu contraseña si no reconoces alguna.',
  })),
  'two-factor-suspended': notice((_, { appName: app }) => ({
    subject: `Se desactivaron los códigos de tu cuenta de ${app}`,
    heading: 'Se desactivaron los códigos',
    paragraphs: [
      'Se escribieron demasiados códigos incorrectos para tu cuenta. Inicia sesión con un código de respaldo y configura de nuevo tu app de autenticación.',
      'Si aún no configuraste un segundo factor, cambia antes tu contraseña. Después se vuelven a enviar códigos.',
    ],
    footnote: 'Otra persona conoce tu contraseña. Cámbiala en cuanto inicies sesión.',
  })),
  'two-factor-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} es tu código de ${appName}`,
    preheader: 'Completa tu inicio de sesión.',
    heading: otp,
    paragraphs: [
      `Este código completa tu inicio de sesión en ${appName}. Vence en ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: 'No lo compartas nunca. Si no estás iniciando sesión, otra persona conoce tu contraseña: cámbiala ahora.',
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration }) =>
    `${otp} es tu código de ${appName}. Vence en ${duration(config.twoFactor.otpOptions.period * 60)}. No lo compartas nunca.${bound(config, otp)}`,
  'two-factor-enabled': (_, { appName }) => added(appName, 'se añadió un segundo factor a tu cuenta.'),
  'backup-codes-created': (_, { appName }) => added(appName, 'se crearon códigos de respaldo nuevos para tu cuenta.'),
  ...resetTexts,
}
