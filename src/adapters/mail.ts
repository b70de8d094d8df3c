/** Mail delivery: by a function of the configuration, or by SMTP (RFC 5321) with nodemailer. */
import { readFileSync } from 'node:fs'
import type { Transporter } from 'nodemailer'
import type { IdentifiedMail, Mailer } from '../core/ports.ts'
import type { Config } from '../features/index.ts'
import { isLoopback } from '../lib/ip.ts'

/** Opens the transport of the section `mail`; null when no mail is sent, or mail is caught. */
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
  const { createTransport } = await import('nodemailer')
  return createSmtpMailer(createTransport(transportOptions(smtp, mail)), from ?? '')
}

/** Milliseconds, shorter than the time for which the outbox claims a mail. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 }

/** The domain of an email address, with or without a display name. */
const domainOf = (from: string): string => /@([^\s>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

/** @throws Error when the URL is malformed or the CA file cannot be read */
function transportOptions(url: string, { tls, ca }: Config['mail']) {
  const address = URL.parse(url)
  if (!address || !/^smtps?:$/.test(address.protocol) || !address.hostname)
    throw new Error('mail.smtp must look like smtp://host:587')
  const isImplicit = address.protocol === 'smtps:'
  const isPlain = (tls ?? (isLoopback(address.hostname) ? 'off' : 'verify')) === 'off' && !isImplicit
  return {
    host: address.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.port || (isImplicit ? 465 : 587)),
    secure: isImplicit,
    // Without STARTTLS no email is sent, because anyone on the network path could read it.
    requireTLS: !isPlain && !isImplicit,
    ignoreTLS: isPlain,
    tls: { minVersion: 'TLSv1.2' as const, rejectUnauthorized: true, ...(ca && { ca: readFileSync(ca, 'utf8') }) },
    ...(address.username && {
      auth: { user: decodeURIComponent(address.username), pass: decodeURIComponent(address.password) },
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  }
}

/** Connects for the first mail. */
function createSmtpMailer(transport: Transporter, from: string): Mailer {
  return {
    deliver: async (mail) => {
      await transport.sendMail({
        from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@${domainOf(from)}>`,
        // RFC 3834 §5: prevents out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated', ...(mail.locale && { 'Content-Language': mail.locale }) },
        // Email programs show no image of a `data:` URL in HTML.
        attachDataUrls: true,
      })
    },
    ping: async () => {
      await transport.verify()
    },
    close: async () => transport.close(),
  }
}
