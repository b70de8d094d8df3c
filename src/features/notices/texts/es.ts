/** The texts in Spanish. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const wasYou = 'Si fuiste tú, no tienes que hacer nada.'

const facts = { time: 'Fecha', device: 'Dispositivo', ipAddress: 'Dirección IP', on: 'en' }

const passwordRemoved = ({ appName }: TextContext): MailContent => ({
  subject: `Se quitó la contraseña de tu cuenta de ${appName}`,
  preheader: 'Es posible que otra persona la estableciera antes de que se verificara tu dirección de correo.',
  heading: 'Se quitó tu contraseña',
  paragraphs: [
    `Tu cuenta de ${appName} tenía una contraseña de antes de que se verificara tu dirección de correo. Es posible que la estableciera otra persona, así que ya no funciona.`,
  ],
  footnote: 'Para volver a iniciar sesión con una contraseña, solicita su restablecimiento y elige una nueva.',
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: `Se quitó un método de inicio de sesión de tu cuenta de ${context.appName}`,
          preheader: 'Si no fuiste tú, cambia tu contraseña ahora.',
          heading: 'Se quitó un método de inicio de sesión',
          paragraphs: [`Este método ya no sirve para iniciar sesión en tu cuenta de ${context.appName}.`],
          facts: [['Método de inicio de sesión', providerId === 'credential' ? 'Contraseña' : providerId]],
          footnote: `${wasYou} Si no, cambia tu contraseña ahora: es posible que otra persona tenga acceso a tu cuenta.`,
        },
  'account-banned': ({ expiresAt }, { appName, time }) => ({
    subject: `Se suspendió tu cuenta de ${appName}`,
    preheader:
      expiresAt === null ? 'Ya no puedes iniciar sesión.' : `Podrás volver a iniciar sesión a partir del ${time(expiresAt)}.`,
    heading: 'Se suspendió tu cuenta',
    paragraphs: [
      `Un administrador suspendió tu cuenta de ${appName} y terminaron sus sesiones.`,
      expiresAt === null ? 'La suspensión no tiene fecha de fin.' : `La suspensión termina el ${time(expiresAt)}.`,
    ],
    footnote: 'Si crees que se trata de un error, contacta con el equipo de ayuda.',
  }),
  'account-deleted': (_, { appName }) => ({
    subject: `Se eliminó tu cuenta de ${appName}`,
    preheader: 'Tu cuenta y sus datos ya no existen.',
    heading: 'Se eliminó tu cuenta',
    paragraphs: [`Tu cuenta de ${appName} y sus datos se eliminaron.`],
    footnote: 'Si no lo esperabas, contacta con el equipo de ayuda.',
  }),
  'account-impersonated': ({ time, endsAt }, context) => ({
    subject: `Un administrador abrió tu cuenta de ${context.appName}`,
    preheader: 'Un administrador puede usar tu cuenta durante un tiempo breve.',
    heading: 'Un administrador abrió tu cuenta',
    paragraphs: [
      `Un administrador de ${context.appName} abrió tu cuenta para ver lo que ves tú. No puede cambiar tu contraseña ni tus métodos de inicio de sesión.`,
    ],
    facts: [
      ['Fecha', context.time(time)],
      ['Termina como máximo', context.time(endsAt)],
    ],
    footnote: `Si no lo esperabas, contacta con ${supportOf(context) ?? 'el equipo de ayuda'}.`,
  }),
  'new-sign-in': (notice, context) => ({
    subject: `Nuevo inicio de sesión en tu cuenta de ${context.appName}`,
    preheader: ['Desde un dispositivo o una red nuevos', deviceIn(notice.device, facts.on)].filter(Boolean).join(': '),
    heading: 'Nuevo inicio de sesión en tu cuenta',
    paragraphs: [
      `Se inició sesión en tu cuenta de ${context.appName} desde un dispositivo o una red nuevos.`,
      ...(notice.hasReplaced ? ['Así terminó la sesión que el mismo navegador o programa tenía antes.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Revisar tus sesiones'),
    footnote: `${wasYou} Si no, cambia tu contraseña y revoca la sesión: otra persona tiene acceso a tu cuenta.`,
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const oldest = context.plural(sessionsEnded, {
      one: 'tu sesión más antigua',
      other: 'tus # sesiones más antiguas',
    })
    return {
      subject: `Un inicio de sesión en tu cuenta de ${context.appName} terminó ${oldest}`,
      preheader: context.plural(maxSessions, {
        one: 'Tu cuenta puede tener # sesión.',
        other: 'Tu cuenta puede tener # sesiones.',
      }),
      heading: `Un inicio de sesión terminó ${oldest}`,
      paragraphs: [
        `Tu cuenta de ${context.appName} tiene el máximo de sesiones (${maxSessions}). Un nuevo inicio de sesión terminó ${oldest}, así que es posible que un navegador o programa tenga que iniciar sesión de nuevo.`,
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Revisar tus sesiones'),
      footnote:
        'Si uno de tus programas inicia sesión cada vez que se ejecuta, haz que conserve su sesión o que use una clave de API. Si no reconoces este inicio de sesión, cambia tu contraseña: otra persona tiene acceso a tu cuenta.',
    }
  },
}
