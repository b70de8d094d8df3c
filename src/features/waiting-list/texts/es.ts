/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName }) => ({
    subject: `Estás en la lista de espera de ${appName}`,
    preheader: 'Te escribiremos cuando puedas crear tu cuenta.',
    heading: 'Estás en la lista de espera',
    paragraphs: [`Gracias por tu interés en ${appName}. Te enviaremos un correo cuando puedas crear tu cuenta.`],
    footnote: 'Si no lo solicitaste, puedes ignorar este correo. No se creó ninguna cuenta.',
  }),
  'waiting-list-approved': ({ url }, { appName }) => ({
    subject: `Ya puedes crear tu cuenta de ${appName}`,
    preheader: 'Usa esta dirección de correo al registrarte.',
    heading: 'Ya puedes crear tu cuenta',
    paragraphs: [`Llegó tu turno en la lista de espera de ${appName}. Usa esta dirección de correo al registrarte.`],
    action: { label: 'Crear cuenta', url },
    footnote: 'Si ya no quieres una cuenta, puedes ignorar este correo.',
  }),
}
