/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'Czas prośby', device: 'Urządzenie', ipAddress: 'Adres IP', on: 'w systemie' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${code} to Twój kod ${context.appName}. Możesz też użyć linku`,
      preheader: `Czas ważności linku i kodu: ${duration}.`,
      heading: `Logowanie do konta ${context.appName}`,
      paragraphs: [
        `Otwórz link na urządzeniu, z którego wysłano prośbę. Jeśli to inne urządzenie, wpisz na nim ten kod: ${code}`,
        'Nikomu nie przesyłaj tego e-maila: nigdy o niego nie pytamy.',
      ],
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Zaloguj się', url },
      footnote: `Link działa jeden raz. Czas ważności: ${duration}. Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail.`,
    }
  },
}
