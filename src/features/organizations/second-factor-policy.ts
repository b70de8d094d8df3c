/**
 * The policy of an organization that its members need a second factor (contract 11 §10). It stops calls in the organization, never a
 * sign-in: who does not want one can leave, and works in other organizations.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { emit, event } from '../../core/events.ts'
import type { UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import type { Config } from '../index.ts'
import { organizationEvent } from './events.ts'
import { errors, type MemberRow, type OrganizationRow } from './model.ts'
import { memberAllows } from './permissions.ts'
import { findMember, findOrganization, lockOrganization } from './store.ts'

/** Whether the configuration lets organizations require a second factor. Policies that were set before have no effect without it. */
export const permitsPolicies = ({ twoFactor }: Pick<Config, 'twoFactor'>): boolean =>
  twoFactor.enabled && twoFactor.required.some((rule) => 'organizations' in rule)

const byUser = statement(
  { member: 'member', organization: 'organization' },
  (db, { organizationId, userId }: { organizationId: string; userId: string }) =>
    db
      .selectFrom('member')
      .innerJoin('organization', 'organization.id', 'member.organizationId')
      .where('member.organizationId', '=', organizationId)
      .where('member.userId', '=', userId)
      .where('organization.deletedAt', 'is', null),
)

type Member = Pick<UserRow, 'id'>
type Policy = Pick<OrganizationRow, 'id' | 'twoFactorRequired' | 'twoFactorGraceDays' | 'twoFactorRequiredAt'>

export const policyEvents = {
  /** A policy demands a second factor of a user: returns whether they have one that satisfies rules. */
  'organization.factor-demanded': event<{ readonly userId: string }, { readonly isSatisfied: boolean }>(),
  /** Members are listed by whether policies stop them: returns the same as a condition of queries that read `user`. */
  'organization.factors-listed': event<object, { readonly isSatisfied: RawBuilder<SqlBool> }>(),
}

/** Whether a user has a second factor that satisfies policies. One by email never does, as for the rules of the configuration. */
export const hasRequiredFactor = async (app: App, { id: userId }: Member): Promise<boolean> =>
  (await emit(app, 'organization.factor-demanded', { userId })).isSatisfied === true

/** The same for many members: a condition of a query that reads `user`. */
export const holdsRequiredFactor = async (app: App): Promise<RawBuilder<SqlBool>> =>
  (await emit(app, 'organization.factors-listed', {})).isSatisfied ?? sql<SqlBool>`1 = 0`

/**
 * The membership of the user who makes a call, by which the call acts in the organization. Every such call comes through here. It
 * reads the policy with the membership, in the same query.
 * @throws ApiError SECOND_FACTOR_REQUIRED
 */
export async function findOwnMember(app: App, organizationId: string, user: Member): Promise<MemberRow | null> {
  if (!permitsPolicies(app.config)) return findMember(app, organizationId, user.id)
  const [found] = await byUser(app, { organizationId, userId: user.id })
  if (!found) return null
  const twoFactorMetAt = await checkPolicy(app, found.organization, user, found.member)
  return { ...found.member, twoFactorMetAt }
}

/**
 * @param member null: the user joins with this call
 * @returns when the member first met the policy; null: it is not for them
 * @throws ApiError SECOND_FACTOR_REQUIRED when the user has no second factor and no grace left
 */
export async function checkPolicy(app: App, policy: Policy, user: Member, member: MemberRow | null): Promise<Date | null> {
  if (!demandsFactor(app, policy) || (await hasRequiredFactor(app, user))) return null
  const met = await meetPolicy(app, policy, member)
  if (app.now() < endOfGrace(policy, met)) return met
  throw new ApiError(errors.SECOND_FACTOR_REQUIRED, { members: { organizationId: policy.id } })
}

const demandsFactor = ({ config }: App, { twoFactorRequired }: Policy): boolean => twoFactorRequired && permitsPolicies(config)

const endOfGrace = ({ twoFactorGraceDays }: Policy, met: Date): Date =>
  new Date(met.getTime() + (twoFactorGraceDays ?? 0) * 86_400_000)

/** The grace starts with the first call. That of an administrator who impersonates the member is none of theirs. */
async function meetPolicy(app: App, policy: Policy, member: MemberRow | null): Promise<Date> {
  const since = policy.twoFactorRequiredAt ?? new Date(0)
  const met = member?.twoFactorMetAt
  if (met && met >= since) return met
  const now = app.now()
  const isImpersonated = app.actor.kind === 'user' && app.actor.impersonatedBy !== undefined
  if (!member || isImpersonated || !policy.twoFactorGraceDays) return now
  // Another call may have started it in between.
  const unmet = app.db.updateTable('member').set({ twoFactorMetAt: now }).where('id', '=', member.id)
  await unmet.where(({ eb, or }) => or([eb('twoFactorMetAt', 'is', null), eb('twoFactorMetAt', '<', since)])).execute()
  return now
}

/** When the policy will stop a member, as `findOwnMember` found them; null: it is not for them. */
export const stoppedFrom = (app: App, policy: Policy, { twoFactorMetAt: met }: MemberRow): Date | null =>
  demandsFactor(app, policy) && met ? endOfGrace(policy, met) : null

/**
 * Who lacks a second factor is known to those who may set the policy.
 * @throws ApiError FORBIDDEN
 */
export async function checkFactorFilter(app: App, own: MemberRow, filterField: string | undefined): Promise<void> {
  if (filterField === 'twoFactorEnabled' && !(await memberAllows(app, own, { organization: ['update'] })))
    throw new ApiError(kernelErrors.FORBIDDEN)
}

export interface PolicyInput {
  readonly required: boolean
  /** Days between the first call of a member without a second factor and the end of their access. */
  readonly graceDays?: number | undefined
  /** Whether a member who has lost their second factor sees the names of administrators. Absent: as before. */
  readonly showAdministrators?: boolean | undefined
}

/** What the columns become. A policy that is set again gives every member a new grace. */
function columnsOf(app: App, current: OrganizationRow, { required, graceDays, showAdministrators }: PolicyInput) {
  const shown = { twoFactorShowAdministrators: showAdministrators ?? current.twoFactorShowAdministrators }
  if (!required) return { ...shown, twoFactorRequired: false, twoFactorGraceDays: null, twoFactorRequiredAt: null }
  const days = graceDays ?? (current.twoFactorRequired ? current.twoFactorGraceDays : null) ?? 0
  const since = current.twoFactorRequired ? current.twoFactorRequiredAt : app.now()
  return { ...shown, twoFactorRequired: true, twoFactorGraceDays: days, twoFactorRequiredAt: since }
}

/** Whether a policy would change anything. */
export function differs(app: App, current: OrganizationRow, input: PolicyInput): boolean {
  const columns = columnsOf(app, current, input)
  return (['twoFactorRequired', 'twoFactorGraceDays', 'twoFactorShowAdministrators'] as const).some(
    (column) => columns[column] !== current[column],
  )
}

/**
 * Sets the policy of an organization, for calls and for commands.
 * @throws ApiError ORGANIZATION_NOT_FOUND
 */
export const setPolicy = (app: App, organizationId: string, input: PolicyInput): Promise<OrganizationRow> =>
  transaction(app, async (tx) => {
    const current = (await lockOrganization(tx, organizationId)) ? await findOrganization(tx, organizationId) : null
    if (!current) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
    if (!differs(tx, current, input)) return current
    const columns = columnsOf(tx, current, input)
    await tx.db.updateTable('organization').set(columns).where('id', '=', organizationId).execute()
    const { twoFactorRequired: required, twoFactorGraceDays: days, twoFactorShowAdministrators: showAdministrators } = columns
    const details = { required, graceDays: days, showAdministrators }
    await recordEvent(tx, organizationEvent('organization.two-factor-policy-changed', current, details))
    return { ...current, ...columns }
  })
