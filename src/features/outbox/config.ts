import { z } from 'zod'
import { addressWithPassword, type ConfigFault, callback, section } from '../../core/config.ts'
import type { Mail } from '../../core/ports.ts'
import type { Config } from '../index.ts'

type Send = (mail: Mail & { readonly from: string }) => unknown
type Template = (data: Readonly<Record<string, unknown>>) => Pick<Mail, 'subject' | 'text' | 'html'>

export const config = {
  mail: section('Mail', {
    from: z.string().min(3).max(320).optional().describe('Sender, such as Acme <no-reply@acme.example>'),
    smtp: addressWithPassword(z.string().optional()).describe(
      'smtp://user:password@host:587 (STARTTLS) or smtps://host:465; filled from SMTP_URL',
    ),
    tls: z.enum(['verify', 'off']).optional().describe('Default: verified TLS to every host but loopback; `off` speaks plainly'),
    ca: z.string().optional().describe('Path of a PEM file with the certificate authority to trust'),
    send: callback<Send>().optional().describe('A function of your own that delivers, in place of SMTP'),
    templates: z
      .record(z.string(), callback<Template>())
      .default({})
      .describe(
        'Kind of mail (verification, reset-password, change-email, delete-account, account-exists) to a function of its data',
      ),
  }),
}

export function checkConfig({ mail }: Config): ConfigFault[] {
  if (!mail.enabled) return []
  const faults: ConfigFault[] = []
  if (!mail.from && !mail.catch) {
    faults.push({
      id: 'mail-from-missing',
      path: 'mail.from',
      message: 'A mail needs a sender.',
      hint: 'Such as Acme <no-reply@acme.example>.',
    })
  }
  if (mail.from && /[\r\n]/.test(mail.from))
    faults.push({ id: 'mail-from-form', path: 'mail.from', message: 'A sender is one line.' })
  if (!mail.smtp && !mail.send && !mail.catch) {
    faults.push({
      id: 'mail-transport-missing',
      path: 'mail',
      message: 'Nothing says how mail is sent.',
      hint: 'Set mail.smtp or SMTP_URL, or mail.send.',
    })
  }
  if (mail.smtp && !/^smtps?:$/.test(URL.parse(mail.smtp)?.protocol ?? '')) {
    faults.push({ id: 'mail-smtp-form', path: 'mail.smtp', message: 'Expected smtp://host:587 or smtps://host:465.' })
  }
  return faults
}
