/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration }) => ({
    subject: `Crea tu contraseña de ${appName}`,
    preheader: `Elige una contraseña. El enlace vence en ${duration(config.seed.setupLinkExpiresIn)}.`,
    heading: 'Crea tu contraseña',
    paragraphs: [
      `Tu cuenta de ${appName} se trasladó a un nuevo sistema de inicio de sesión. Crea una contraseña para volver a iniciar sesión. Todo lo demás de tu cuenta sigue igual.`,
    ],
    action: { label: 'Crear contraseña', url },
    footnote: `Este enlace funciona una sola vez y vence en ${duration(config.seed.setupLinkExpiresIn)}. Lo recibes porque alguien intentó iniciar sesión con tu dirección de correo. Si no fuiste tú, puedes ignorar este correo.`,
  }),
}
