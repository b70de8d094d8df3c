import { z } from 'zod'
import { type ConfigFault, callback, flagged, group } from '../../core/config.ts'
import type { CustomHash } from '../../core/ports.ts'
import type { Config } from '../index.ts'

export const config = {
  emailAndPassword: flagged('Signing up and in by address and password', {
    disableSignUp: z.boolean().default(false).describe('Refuse new accounts'),
    requireEmailVerification: z
      .boolean()
      .default(false)
      .describe('Begin no session before the address is proved; signing up and in sends the link'),
    antiEnumeration: z
      .boolean()
      .default(false)
      .describe(
        'Answer alike whether an address is known: signing up says nothing, and its owner is told by mail; needs requireEmailVerification',
      ),
    minPasswordLength: z
      .int()
      .min(8)
      .max(128)
      .default(8)
      .describe('Shortest password; NIST SP 800-63B advises 15 when it stands alone'),
    maxPasswordLength: z.int().min(64).max(1000).default(128).describe('Longest password'),
    password: group('Hashing by functions of your own in place of argon2id; both or neither', {
      hash: callback<CustomHash['hash']>().optional().describe('Makes the text that is stored for a password'),
      verify: callback<CustomHash['verify']>()
        .optional()
        .describe('Whether `{ hash, password }` belong together; asked for what your function has made'),
    }),
    autoSignIn: z.boolean().default(true).describe('Begin a session with the account'),
  }),
}

export function checkConfig({ emailAndPassword }: Config): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (emailAndPassword.minPasswordLength > emailAndPassword.maxPasswordLength) {
    faults.push({
      id: 'password-bounds',
      path: 'emailAndPassword.minPasswordLength',
      message: 'No password is long enough and short enough.',
    })
  }
  const { hash, verify } = emailAndPassword.password
  if (Boolean(hash) !== Boolean(verify)) {
    faults.push({
      id: 'password-functions',
      path: `emailAndPassword.password.${hash ? 'verify' : 'hash'}`,
      message: 'What one function makes only the other can compare.',
      hint: 'Give both functions, or neither.',
    })
  }
  if (emailAndPassword.antiEnumeration && !emailAndPassword.requireEmailVerification) {
    faults.push({
      id: 'anti-enumeration',
      path: 'emailAndPassword.antiEnumeration',
      message: 'Whether a new account can sign in would tell whether its address was known.',
      hint: 'Set requireEmailVerification too.',
    })
  }
  return faults
}
