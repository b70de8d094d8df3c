/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'Solicitado', device: 'Dispositivo', ipAddress: 'Dirección IP', on: 'en' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${code} es tu código de ${context.appName}, o inicia sesión con el enlace`,
      preheader: `El enlace y el código vencen en ${duration}.`,
      heading: `Inicia sesión en ${context.appName}`,
      paragraphs: [
        `Abre el enlace en el dispositivo en el que lo solicitaste. Si es otro, escribe allí este código: ${code}`,
        'No compartas nunca este correo: jamás te lo pediremos.',
      ],
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Iniciar sesión', url },
      footnote: `El enlace funciona una sola vez y vence en ${duration}. Si no lo solicitaste, puedes ignorar este correo.`,
    }
  },
}
