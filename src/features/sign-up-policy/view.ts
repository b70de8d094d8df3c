/** The rules about sign-up, as administrators and commands see them: how many entries there are, and not which. */
import { z } from 'zod'
import type { Config } from '../index.ts'
import { disposableDomains } from './disposable-domains.ts'
import { readRules } from './rules.ts'

export const signUpModes = ['open', 'invite', 'waiting-list', 'closed'] as const

const count = z.int().min(0)
const isoDay = z.string().meta({ examples: ['2026-09-21'] })

export const policyView = z.object({
  mode: z.enum(signUpModes),
  allow: count
    .nullable()
    .meta({ description: 'Entries of the list of those who may sign up; null: there is no list, and all others may' }),
  block: count.meta({ description: 'Entries of the list of those who must not' }),
  disposable: z
    .object({ domains: count, date: isoDay })
    .nullable()
    .meta({ description: 'The list of disposable domains that is used, with its date; null: they may sign up' }),
  oneMailbox: z.boolean().meta({ description: 'Whether different email addresses of one mailbox count as one' }),
  invitationsPass: z.boolean().meta({ description: 'Whether an invitation to an organization admits a user' }),
})

export function readPolicy(config: Config): z.input<typeof policyView> {
  const { allow, block } = readRules(config)
  const { mode, disposable, oneMailbox, invitationsPass } = config.signUp
  const { date, domains } = disposable === 'block' ? disposableDomains() : { date: '', domains: null }
  return {
    ...{ mode, allow: allow && !allow.all ? allow.size : null, block: block?.size ?? 0 },
    ...{ disposable: domains && { domains: domains.size, date }, oneMailbox, invitationsPass },
  }
}
