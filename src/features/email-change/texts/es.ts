/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'change-email': ({ url, newEmail }, { appName, config, duration }) => ({
    subject: `Confirma tu nueva dirección de correo para ${appName}`,
    preheader: `Tu cuenta usará ${newEmail}.`,
    heading: 'Cambia tu dirección de correo',
    paragraphs: [`Recibimos una solicitud para cambiar la dirección de correo de tu cuenta de ${appName}.`],
    facts: [['Nueva dirección de correo', newEmail]],
    action: { label: 'Cambiar dirección de correo', url },
    footnote: `Este enlace vence en ${duration(config.emailVerification.expiresIn)}. Ábrelo en un navegador en el que tengas la sesión iniciada. Si no lo solicitaste, cambia tu contraseña: es posible que otra persona tenga acceso a tu cuenta.`,
  }),
  'email-in-use': (_, { appName }) => ({
    subject: `Tu dirección de correo ya se usa en ${appName}`,
    preheader: 'Otra cuenta quiso usar tu dirección de correo. No cambió nada.',
    heading: 'Tu dirección de correo ya se usa',
    paragraphs: [
      `Otra cuenta de ${appName} solicitó usar esta dirección de correo. Pertenece a tu cuenta, así que no se cambió nada.`,
      'Si la otra cuenta también es tuya, inicia sesión en ella y elige otra dirección de correo.',
    ],
    footnote: 'Si no lo solicitaste, puedes ignorar este correo. No cambió nada.',
  }),
  'email-changed': (_, { appName }) => ({
    subject: `Se cambió la dirección de correo de tu cuenta de ${appName}`,
    preheader: 'Esta dirección ya no se usa. Si no fuiste tú, contáctanos.',
    heading: 'Se cambió tu dirección de correo',
    paragraphs: [`La dirección de correo de tu cuenta de ${appName} ya no es esta.`],
    footnote: 'Si fuiste tú, no tienes que hacer nada. Si no, contáctanos: es posible que otra persona tenga acceso a tu cuenta.',
  }),
}
