import { z } from 'zod'
import { type ConfigFault, group } from '../../core/config.ts'
import { isEmailAddress } from '../../lib/email.ts'
import type { Config } from '../index.ts'

export const config = {
  seed: group('What `latchkey seed` writes', {
    admins: z
      .array(
        z.strictObject({
          email: z.string().refine(isEmailAddress, 'Expected an e-mail address'),
          name: z.string().min(1).max(200),
          role: z.string().default('admin').describe('Role names, separated by commas'),
          passwordEnv: z
            .string()
            .optional()
            .describe('Variable that holds the password, or with _FILE appended its path; without it: a set-up link'),
        }),
      )
      .default([])
      .describe('Administrators'),
    setupLinkExpiresIn: z.int().positive().max(604_800).default(86_400).describe('Life of a set-up link, in seconds'),
  }),
}

export function checkConfig({ seed, emailAndPassword }: Config): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (seed.admins.length > 0 && !emailAndPassword.enabled) {
    faults.push({
      id: 'seed-admins-without-passwords',
      path: 'seed.admins',
      message: 'An administrator could not sign in.',
      hint: 'Set emailAndPassword.enabled.',
    })
  }
  seed.admins.forEach((admin, position) => {
    const first = seed.admins.findIndex(({ email }) => email.toLowerCase() === admin.email.toLowerCase())
    if (first !== position)
      faults.push({ id: 'seed-admin-twice', path: `seed.admins.${position}.email`, message: 'This address stands there twice.' })
    for (const role of admin.role.split(',')) {
      if (role in seed.roles) continue
      const message = `There is no role "${role}".`
      faults.push({ id: 'seed-admin-role', path: `seed.admins.${position}.role`, message, hint: 'Declare it in seed.roles.' })
    }
  })
  return faults
}
