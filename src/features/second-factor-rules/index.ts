/** Rules that demand a second factor of users: at the sign-in, when their grace ends, and before it does (contract 11 §10). */
import type { Listeners } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import type { Proof, SignInChallenge } from '../../core/sign-in.ts'
import type { Config } from '../index.ts'
import { mailTemplates } from '../outbox/index.ts'
import {
  demandSetup,
  errors as factorErrors,
  meetRules,
  requirementOf,
  twoFactorSetup,
  userRules,
} from '../second-factor/index.ts'
import { enforceRules } from './enforcement.ts'
import type { DueNotice } from './mails.ts'

export { checkConfig } from './check-rules.ts'
export { findLockingRule } from './locking-rule.ts'
export { mails } from './mails.ts'

export const config = mailTemplates<{ 'two-factor-due': DueNotice }>({
  'two-factor-due': 'that reminds of a second factor that a rule demands',
})

const hasRules = (config: Pick<Config, 'twoFactor'>): boolean => userRules(config).length > 0

export const enabled = ({ twoFactor }: Config): boolean => twoFactor.enabled

/** A provider that the configuration trusts has asked for two factors itself. */
const isByTrustedProvider = ({ method, acr, answered = [] }: Proof): boolean =>
  method.startsWith('social:') && acr !== undefined && answered.length === 0

export const challenge = {
  name: 'second-factor-setup',
  kinds: ['first-factor', 'new-user'] as const,
  exists: hasRules,
  page: '/two-factor/setup',
  errors: [factorErrors.SECOND_FACTOR_SETUP_REQUIRED],
  adds: { twoFactorSetup: twoFactorSetup.optional() },
  demand: async (ctx, user, proof) => {
    if (isByTrustedProvider(proof)) return null
    const requirement = await meetRules(ctx, user)
    if (requirement.result === 'setup') return demandSetup(ctx, user, proof, requirement)
    return requirement.result === 'grace' ? { accepted: {}, added: { twoFactorSetup: { dueAt: requirement.dueAt } } } : null
  },
  explain: async (app, user, proof) => {
    if (isByTrustedProvider(proof)) return { steps: [] }
    const { result, reason, dueAt, methods } = await requirementOf(app, user)
    if (reason === null) return { steps: [] }
    const accepted = { step: 'rule-methods', result: methods.join(','), reason }
    const due = dueAt ? [{ step: 'rule-due', result: dueAt.toISOString(), reason }] : []
    return { steps: [{ step: 'rule', result, reason }, accepted, ...due] }
  },
} satisfies SignInChallenge

export const on: Listeners = {
  // Otherwise a session from before the rule would never meet it, as long as it is used.
  'session.renewed': async (app, { user, session }) => {
    if (hasRules(app.config) && !session.impersonatedBy) await meetRules(app, user)
  },
}

export const jobs: Readonly<Record<string, Job>> = { secondFactorRules: { every: 300, run: enforceRules } }
