/** Rules that demand a second factor of users, and what they demand of one user: evaluated in memory (contract 11 §10). */
import { z } from 'zod'
import type { UserRow } from '../../core/request.ts'
import { dayMs } from '../../lib/iso-time.ts'
import type { Config } from '../index.ts'

/** What can satisfy a rule. A code by email never does: the mailbox often resets the password too. */
export const qualifying = ['passkey', 'totp', 'sms'] as const
export type Qualifying = (typeof qualifying)[number]
export const qualifyingMethod = z.enum(qualifying)

const longestName = 200

/** A rule as the configuration has it. */
const ruleOption = z
  .strictObject({
    roles: z.array(z.string().min(1)).min(1).optional().describe('Names of the roles whose users it is for'),
    everyone: z.literal(true).optional().describe('It is for every user'),
    moved: z
      .literal(true)
      .optional()
      .describe(
        'It is for users whose second factor a move could not bring, with `--require-mfa-setup`, until they have set one up',
      ),
    methods: z
      .array(qualifyingMethod)
      .min(1)
      .default(['passkey', 'totp'])
      .describe('Second factors that satisfy it: `passkey`, `totp`, `sms`'),
    graceDays: z
      .int()
      .min(0)
      .max(365)
      .default(0)
      .describe('Days to set one up, from the first sign-in of the user under the rule'),
    latest: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })])
      .optional()
      .describe('When the days of all users end at the latest, such as `2027-01-31`'),
    trustedDevices: z
      .boolean()
      .optional()
      .describe('Whether users may trust browsers; default: not for roles with `graceDays: 0`'),
    apiKeys: z.boolean().default(true).describe('Whether API keys of users without a second factor work after these days'),
  })
  .refine(
    ({ roles, everyone, moved }) => [roles, everyone, moved].filter((one) => one !== undefined).length === 1,
    'Give either roles, everyone or moved',
  )
  .refine((rule) => nameOf(rule).length <= longestName, `The names of the roles have more than ${longestName} characters`)

/** Organizations decide for themselves, by their policies. */
const organizationsOption = z.strictObject({
  organizations: z.literal(true).describe('Organizations may require one of their members'),
})

type AnyRule = Config['twoFactor']['required'][number]
export type Rule = Exclude<AnyRule, { organizations: true }>

/** The rules for users, without what permits organizations to have their own. */
export const userRules = ({ twoFactor }: Pick<Config, 'twoFactor'>): readonly Rule[] =>
  twoFactor.required.filter((rule): rule is Rule => !('organizations' in rule))

export const ruleOptions = z
  .array(z.union([ruleOption, organizationsOption]))
  .default([])
  .describe(
    'Rules that demand a second factor of users: of `roles`, of `everyone`, of those that were `moved`, or of the members of organizations that require it',
  )

interface Group {
  readonly roles?: readonly string[] | undefined
  readonly moved?: true | undefined
}

const nameOf = ({ roles, moved }: Group): string =>
  moved ? 'moved' : roles === undefined ? 'everyone' : `role:${roles.join(',')}`

/** The name under which the grace of users is stored, such as `role:admin`. */
export const ruleName = (rule: Pick<Rule, 'roles' | 'moved'>): string => nameOf(rule)

type Ruled = Pick<UserRow, 'id' | 'role'> & Partial<Pick<UserRow, 'isAnonymous' | 'mustSetUpFactor'>>

/**
 * The rules that a user is under. One for a role of administrators is for `adminUserIds` too. Anonymous users have nothing that they could
 * sign in with again.
 */
export function rulesFor(config: Pick<Config, 'twoFactor' | 'admin'>, user: Ruled): readonly Rule[] {
  const { twoFactor, admin } = config
  if (!twoFactor.enabled || twoFactor.required.length === 0 || user.isAnonymous === true) return []
  const byID = admin.adminUserIds.includes(user.id) ? admin.adminRoles : []
  const own = [...(user.role || admin.defaultRole).split(','), ...byID]
  return userRules(config).filter(({ roles, moved }) => {
    if (moved) return user.mustSetUpFactor === true
    return roles === undefined || roles.some((role) => own.includes(role))
  })
}

/** Whether a rule forbids its users to trust browsers. */
export const forbidsTrust = ({ trustedDevices, roles, graceDays }: Rule): boolean =>
  !(trustedDevices ?? (roles === undefined || graceDays > 0))

/** When the grace of a user ends, who met the rule at this time. */
export function dueAtOf({ graceDays, latest }: Rule, startedAt: Date): Date {
  const end = new Date(startedAt.getTime() + graceDays * dayMs)
  const last = latest === undefined ? end : new Date(latest)
  return last < end ? last : end
}

export interface Requirement {
  /** `none`: no rule is for this user; `satisfied`: they have a second factor of each; `grace`: they have time to set one up; `setup`: they must now. */
  readonly result: 'none' | 'satisfied' | 'grace' | 'setup'
  /** The name of the rule that decides; null: none. */
  readonly reason: string | null
  /** When the grace under it ends. Null when the rule is satisfied. */
  readonly dueAt: Date | null
  /** What would satisfy it, the strongest first. */
  readonly methods: readonly Qualifying[]
}

/** Whether a user has a second factor that a rule accepts. */
export const isSatisfied = ({ methods }: Rule, held: readonly Qualifying[]): boolean =>
  methods.some((method) => held.includes(method))

interface Situation {
  readonly rules: readonly Rule[]
  /** The second factors that the user has. */
  readonly held: readonly Qualifying[]
  /** When the user first signed in under each rule, by its name; absent: now. */
  readonly startedAt: ReadonlyMap<string, Date>
  readonly now: Date
}

const nothing: Requirement = { result: 'none', reason: null, dueAt: null, methods: [] }

/**
 * What the rules demand of a user now, and why. Of several that are not satisfied, the one that is due first decides; what satisfies it may
 * leave another one.
 */
export function whatIsRequired({ rules, held, startedAt, now }: Situation): Requirement {
  const [first] = rules
  if (first === undefined) return nothing
  const open = rules
    .filter((rule) => !isSatisfied(rule, held))
    .map((rule) => ({ rule, dueAt: dueAtOf(rule, startedAt.get(ruleName(rule)) ?? now) }))
    .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
  const [decisive] = open
  const { rule, dueAt } = decisive ?? { rule: first, dueAt: null }
  const methods = qualifying.filter((method) => rule.methods.includes(method))
  if (dueAt === null) return { result: 'satisfied', reason: ruleName(rule), dueAt, methods }
  return { result: dueAt <= now ? 'setup' : 'grace', reason: ruleName(rule), dueAt, methods }
}
