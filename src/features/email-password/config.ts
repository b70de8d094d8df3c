import { z } from 'zod'
import { type ConfigFault, flagged } from '../../core/config.ts'
import type { Config } from '../index.ts'

export const config = {
  emailAndPassword: flagged('Signing up and in by address and password', {
    disableSignUp: z.boolean().default(false).describe('Refuse new accounts'),
    minPasswordLength: z.int().min(8).max(128).default(8).describe('Shortest password; NIST SP 800-63B advises 15 when it stands alone'),
    maxPasswordLength: z.int().min(64).max(1000).default(128).describe('Longest password'),
    autoSignIn: z.boolean().default(true).describe('Begin a session with the account'),
  }),
}

export function checkConfig({ emailAndPassword }: Config): ConfigFault[] {
  if (emailAndPassword.minPasswordLength <= emailAndPassword.maxPasswordLength) return []
  return [{ id: 'password-bounds', path: 'emailAndPassword.minPasswordLength', message: 'No password is long enough and short enough.' }]
}
