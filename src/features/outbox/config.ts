import type { ConfigFault } from '../../core/config.ts'
import type { Config } from '../index.ts'

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
