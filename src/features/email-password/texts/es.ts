/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName }) => ({
    subject: `Ya tienes una cuenta en ${appName}`,
    preheader: 'Alguien intentó crear una cuenta con tu dirección de correo. No cambió nada.',
    heading: 'Ya tienes una cuenta',
    paragraphs: [
      `Un registro en ${appName} usó esta dirección de correo. Ya tienes una cuenta, así que no se creó otra.`,
      'Inicia sesión con tu contraseña. Si la olvidaste, solicita su restablecimiento.',
    ],
    footnote: 'Si no lo solicitaste, puedes ignorar este correo. No cambió nada.',
  }),
}
