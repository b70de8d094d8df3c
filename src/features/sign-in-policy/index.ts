/** The sign-in policy for administrators: the rules of the configuration, whom they concern, and how users sign in. */
import type { Job } from '../../core/feature.ts'
import { permission } from '../../core/permissions.ts'
import type { CallContext } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import type { AfterStep } from '../../core/steps.ts'
import type { Config } from '../index.ts'
import { countSoon } from '../statistics/index.ts'
import { policyView, readPolicy } from './policy.ts'
import { countUsers } from './user-counts.ts'

export { readPolicy } from './policy.ts'

export const area = 'Administration'
export const plugin = 'two-factor'

export const enabled = ({ admin }: Config): boolean => admin.enabled

/** Each run but the first of a day is one query, unless the rules have changed since. */
export const jobs: Readonly<Record<string, Job>> = { users: { every: 900, run: countUsers } }

export const after: Readonly<Record<string, AfterStep>> = {
  // Nothing is stored before a passkey is registered, so that only a count shows how many are given up.
  'GET /passkey/generate-register-options': (ctx: CallContext) => countSoon(ctx, 'passkey-options'),
}

export const routes = {
  'GET /admin/sign-in-policy': route({
    summary: 'Get the sign-in policy',
    description:
      'Returns who may sign up, the sign-in methods, the rules that demand a second factor, whom these rules concern, how many users have a second factor, a passkey, and one sign-in method only, and how users signed in within the last 30 days. Users are counted once a day, and again when the rules have changed. Only for users whose role permits `statistics:read`.',
    // Numbers and options, as in the statistics: nothing of it is about one user, so that `user:list` is not needed.
    access: permission({ statistics: ['read'] }),
    returns: policyView,
    handler: (ctx) => readPolicy(ctx),
  }),
}
