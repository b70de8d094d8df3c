/** The second factors of one user, as operators and administrators see them (contract 11 §12). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { type CodeFailures, explainFailures } from './attempts.ts'
import { countBackupCodes } from './backup-codes.ts'
import { requirementOf } from './due.ts'
import { type DescribedMethod, describeMethods, methodsOf } from './methods.ts'
import { findFactors, hasSecondFactor } from './model.ts'
import { findPendingReset, type PendingReset } from './pending-resets.ts'
import type { Qualifying, Requirement } from './rules.ts'
import { findTrustedDevices, type TrustedDevice } from './trusted-devices.ts'

/** The rule that decides what a user must have. */
export interface RuleReport {
  /** Its name, such as `role:admin`. */
  readonly by: string
  readonly isSatisfied: boolean
  /** Until when the user must satisfy it; null when they do. */
  readonly dueAt: Date | null
  /** What satisfies it. */
  readonly methods: readonly Qualifying[]
}

export interface FactorReport {
  /** Whether sign-ins demand a second factor. */
  readonly enabled: boolean
  readonly methods: readonly DescribedMethod[]
  readonly backupCodesLeft: number
  readonly trustedDevices: readonly TrustedDevice[]
  /** Null when no rule is for this user. */
  readonly required: RuleReport | null
  /** Null when the user has never set up a second factor. */
  readonly failures: CodeFailures | null
  /** Null when none waits. */
  readonly pendingReset: PendingReset | null
}

/** What a user has, without secrets. */
export async function describeFactors(app: App, user: UserRow): Promise<FactorReport> {
  const row = await findFactors(app, user.id)
  return {
    enabled: hasSecondFactor(user),
    methods: await describeMethods(app, user.id, row, await methodsOf(app, user)),
    backupCodesLeft: await countBackupCodes(app, user.id),
    trustedDevices: await findTrustedDevices(app, user.id),
    required: ruleOf(await requirementOf(app, user)),
    failures: await explainFailures(app, user.id),
    pendingReset: await findPendingReset(app, user.id),
  }
}

const ruleOf = ({ result, reason, dueAt, methods }: Requirement): RuleReport | null =>
  reason === null ? null : { by: reason, isSatisfied: result === 'satisfied', dueAt, methods }
