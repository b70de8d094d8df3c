import type { ConfigFault } from '../../core/config.ts'
import type { Config } from '../index.ts'

export function checkConfig({ mail, environment }: Config): ConfigFault[] {
  if (!mail.catch || environment === 'development') return []
  const message = 'Everybody who can call the API could read the mails of everybody.'
  return [{ id: 'mail-catch-in-production', path: 'mail.catch', message, hint: 'Use mail.smtp, or environment: "development".' }]
}
