/** Delivery by SMTP (RFC 5321) with nodemailer. */
import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import type { Mailer } from '../../core/ports.ts'
import { isLoopback } from '../../lib/loopback.ts'

export interface SmtpOptions {
  /** `Name <address>`. */
  readonly from: string
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://host:465`. */
  readonly url: string
  /** Default: `off` for loopback, `verify` for every other host. */
  readonly tls?: 'verify' | 'off' | undefined
  /** Path of a PEM file. */
  readonly ca?: string | undefined
}

/** Milliseconds; shorter than the time for which the outbox claims a mail. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 }

/** Of an address, also one behind a name in front of it. */
const domainOf = (from: string): string => /@([^\s>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

/** Nothing is connected before the first mail. @throws Error when the address or the file of the certificate authority is wrong */
export function createSmtpMailer({ from, url, tls, ca }: SmtpOptions): Mailer {
  const address = URL.parse(url)
  if (!address || !/^smtps?:$/.test(address.protocol) || !address.hostname)
    throw new Error('mail.smtp must look like smtp://host:587')
  const isImplicit = address.protocol === 'smtps:'
  const isPlain = (tls ?? (isLoopback(address.hostname) ? 'off' : 'verify')) === 'off' && !isImplicit
  const transport = createTransport({
    host: address.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.port || (isImplicit ? 465 : 587)),
    secure: isImplicit,
    // Without STARTTLS there is no mail, rather than one that anybody on the way can read.
    requireTLS: !isPlain && !isImplicit,
    ignoreTLS: isPlain,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(ca && { ca: readFileSync(ca, 'utf8') }) },
    ...(address.username && {
      auth: { user: decodeURIComponent(address.username), pass: decodeURIComponent(address.password) },
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  })
  return {
    deliver: async (mail) => {
      await transport.sendMail({
        from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@${domainOf(from)}>`,
        // RFC 3834 §5: nobody's absence is to answer.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    ping: async () => {
      await transport.verify()
    },
    close: async () => transport.close(),
  }
}
