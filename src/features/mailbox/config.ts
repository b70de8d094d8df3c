import { z } from 'zod'
import { type ConfigFault, section } from '../../core/config.ts'
import type { Config } from '../index.ts'

export const config = {
  mail: section('Mail', {
    catch: z.boolean().default(false).describe('Keep mails and show them at /mailbox instead of sending them; for development'),
  }),
}

export function checkConfig({ mail, environment }: Config): ConfigFault[] {
  if (!mail.catch || environment === 'development') return []
  const message = 'Everybody who can call the API could read the mails of everybody.'
  return [{ id: 'mail-catch-in-production', path: 'mail.catch', message, hint: 'Use mail.smtp, or environment: "development".' }]
}
