/** What `limits explain` and `limits clear` are asked about. */
import { canonicalAddress } from '../../lib/ip.ts'
import type { Zod } from '../command.ts'
import { seconds, waitForDatabaseOption } from '../inputs.ts'

export const options = [
  { flags: '--ip <address>', description: 'The address of a client; an IPv6 one counts with its /64 network' },
  { flags: '--account <email>', description: 'The address that is signed in with; it need not exist' },
  { flags: '--path <path>', description: 'Only this path of the API, such as /sign-in/email; with --ip' },
  waitForDatabaseOption,
]

export const input = (z: Zod) =>
  z
    .object({
      ip: z
        .string()
        .refine((text) => canonicalAddress(text) !== null, 'expected an IPv4 or IPv6 address')
        .transform((text) => canonicalAddress(text))
        .default(null),
      account: z.string().min(1, 'expected an e-mail address').max(320, 'expected an e-mail address').nullable().default(null),
      path: z
        .string()
        .regex(/^\/[^?#\s]*$/, 'expected a path that begins with /')
        .nullable()
        .default(null),
      waitForDb: seconds(z).default(0),
    })
    .superRefine(({ ip, account, path }, check) => {
      if (ip === null && account === null)
        check.addIssue({ code: 'custom', path: ['ip'], message: 'expected, or --account, or both' })
      if (ip === null && path !== null) check.addIssue({ code: 'custom', path: ['path'], message: 'expected --ip with it' })
    })
