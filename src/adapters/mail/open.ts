import type { IdentifiedMail, Mailer } from '../../core/ports.ts'
import type { Config } from '../../features/index.ts'

/** Who delivers, as the section `mail` says; null when nobody does. */
export async function openMailer(mail: Config['mail']): Promise<Mailer | null> {
  if (!mail.enabled || mail.catch) return null
  const { send, smtp, from } = mail
  if (send) {
    const deliver = async (sent: IdentifiedMail) => {
      await send({ from: from ?? '', ...sent })
    }
    return { deliver, ping: async () => {}, close: async () => {} }
  }
  if (!smtp) return null
  // Loaded only when it is used: most commands send no mail.
  const { createSmtpMailer } = await import('./smtp.ts')
  return createSmtpMailer({ from: from ?? '', url: smtp, tls: mail.tls, ca: mail.ca })
}
