/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration }) => ({
    subject: `Restablece tu contraseña de ${appName}`,
    preheader: `Elige una nueva contraseña. El enlace vence en ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}.`,
    heading: 'Restablece tu contraseña',
    paragraphs: [`Recibimos una solicitud para restablecer la contraseña de tu cuenta de ${appName}.`],
    action: { label: 'Restablecer contraseña', url },
    footnote: `Este enlace funciona una sola vez y vence en ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}. Si no lo solicitaste, puedes ignorar este correo. Tu contraseña sigue siendo la misma.`,
  }),
}
