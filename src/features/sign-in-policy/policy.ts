/** The sign-in policy of the configuration, with whom it concerns and how users sign in. Nothing of it is about one user. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { isoDate } from '../../core/schemas.ts'
import { signInMethodsOf } from '../../core/sign-in.ts'
import { dayMs } from '../../lib/iso-time.ts'
import { isPossible } from '../passkeys/index.ts'
import { ageFor, forbidsTrust, qualifyingMethod, type Rule, ruleName, sendsBy, userRules } from '../second-factor/index.ts'
import { readPolicy as readSignUpPolicy, policyView as signUpView } from '../sign-up-policy/index.ts'
import { flushStatistics, startOf } from '../statistics/index.ts'
import { readUserCounts, type UserCounts } from './user-counts.ts'

const count = z.int().min(0)
const method = z.string().meta({ examples: ['password'] })

const ruleView = z
  .object({
    name: z.string().meta({ examples: ['role:admin'] }),
    roles: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'Null: the rule is for every user, or its name is `moved`: for those whose second factor a move could not bring',
        examples: [['admin']],
      }),
    methods: z.array(qualifyingMethod).meta({ description: 'What satisfies it' }),
    graceDays: z.int(),
    latest: isoDate.nullable().meta({ description: 'When the grace of all users ends at the latest' }),
    trustedDevices: z.boolean().meta({ description: 'Whether its users may trust browsers' }),
    apiKeys: z.boolean().meta({ description: 'Whether API keys of its users work after their grace' }),
    counts: z
      .object({
        users: count.meta({ description: 'Users whom it is for' }),
        satisfied: count.meta({ description: 'Users who have a second factor that satisfies it' }),
        grace: count.meta({ description: 'Users who have time to set one up' }),
        due: count.meta({ description: 'Users who must set one up at their next sign-in' }),
      })
      .nullable()
      .meta({ description: 'Null: the rule is new, and was not counted yet' }),
  })
  .meta({ title: 'SecondFactorRule' })

const twoFactorView = z.object({
  methods: z.array(z.string()).meta({ description: 'Second factors that users can set up', examples: [['passkey', 'totp']] }),
  rules: z.array(ruleView),
  organizations: z
    .object({ required: count.nullable().meta({ description: 'Organizations that require one; null: not counted yet' }) })
    .nullable()
    .meta({ description: 'Null when organizations may not require a second factor' }),
  trustProviders: z.array(
    z.object({
      id: z.string().meta({ examples: ['okta'] }),
      amr: z
        .string()
        .nullable()
        .meta({ description: 'What its ID token must name; null: nothing', examples: ['mfa'] }),
    }),
  ),
  trustDeviceMaxAge: z.int().meta({ description: 'Seconds for which a browser can be trusted; 0: not at all' }),
  stepUpMaxAge: z
    .int()
    .nullable()
    .meta({ description: 'Seconds for which a proof permits dangerous calls; null: none is demanded' }),
})

const challengeCounts = z.object({
  opened: count,
  passed: count,
  failed: count.meta({ description: 'Ended by wrong codes' }),
  cancelled: count,
  expired: count,
})

export const policyView = z.object({
  methods: z.array(method).meta({ description: 'The sign-in methods that are on' }),
  twoFactor: twoFactorView.nullable().meta({ description: 'Null when second factors are disabled' }),
  passkeys: z.boolean().meta({ description: 'Whether users can have passkeys' }),
  signUp: signUpView.meta({ description: 'Who may sign up' }),
  users: z
    .object({
      countedAt: isoDate,
      total: count.meta({ description: 'Without anonymous users' }),
      oneMethod: z.array(z.object({ method, users: count })).meta({
        description:
          'Users who have exactly one sign-in method, by method: each passkey and each social account is one, and all methods by email together are one',
      }),
      adoption: z.array(z.object({ at: isoDate, users: count, secondFactor: count, passkey: count })).meta({
        description:
          'Users, and how many of them have a second factor and a passkey, on each day of the last 90 on which they were counted',
      }),
    })
    .nullable()
    .meta({ description: 'Counted once a day; null before the first time' }),
  recent: z
    .object({
      from: isoDate,
      signIns: z.array(z.object({ method, count })),
      challenges: z.object({ verify: challengeCounts, setup: challengeCounts }),
      passkeyRegistrations: z.object({
        opened: count.meta({
          description: 'Options to add a passkey were requested, also by pages that create one without a dialog',
        }),
        passed: count,
      }),
    })
    .meta({ description: 'What happened in the last 30 days' }),
})

const recentDays = 30
const adoptionDays = 90

/** Reads a bounded part of the statistics by their index, and no users. */
export async function readPolicy(app: App): Promise<z.input<typeof policyView>> {
  await flushStatistics(app)
  const { features, config } = app
  const found = await readUserCounts(app, daysAgo(app, adoptionDays))
  return {
    methods: signInMethodsOf(features, config).map(({ name }) => name),
    twoFactor: config.twoFactor.enabled ? describeTwoFactor(app, found) : null,
    passkeys: hasPasskeys(app),
    signUp: readSignUpPolicy(config),
    users: found && {
      ...{ countedAt: found.countedAt, total: found.users },
      ...{ oneMethod: [...found.oneMethod], adoption: [...found.adoption] },
    },
    recent: await readRecent(app),
  }
}

const daysAgo = (app: App, days: number): Date => new Date(startOf(app.now(), 'day').getTime() - (days - 1) * dayMs)

const hasPasskeys = ({ config }: Pick<App, 'config'>): boolean => config.passkey.enabled && isPossible(config)

function describeTwoFactor(app: App, found: UserCounts | null): z.input<typeof twoFactorView> {
  const { totpOptions, otpOptions, required, trustProviders, trustDeviceMaxAge } = app.config.twoFactor
  const permitsPolicies = app.config.organization.enabled && required.some((rule) => 'organizations' in rule)
  return {
    methods: [
      ...(hasPasskeys(app) ? ['passkey'] : []),
      ...(totpOptions.disable ? [] : ['totp']),
      ...otpOptions.channels.filter((channel) => sendsBy(app, channel)),
    ],
    rules: userRules(app.config).map((rule) => describeRule(rule, found)),
    organizations: permitsPolicies ? { required: found?.organizations ?? null } : null,
    trustProviders: trustProviders.map((one) =>
      typeof one === 'string' ? { id: one, amr: null } : { id: one.id, amr: one.when?.amr ?? null },
    ),
    trustDeviceMaxAge,
    stepUpMaxAge: ageFor(app),
  }
}

const describeRule = (rule: Rule, found: UserCounts | null): z.input<typeof ruleView> => ({
  name: ruleName(rule),
  roles: rule.roles ? [...rule.roles] : null,
  methods: qualifyingMethod.options.filter((one) => rule.methods.includes(one)),
  graceDays: rule.graceDays,
  latest: rule.latest === undefined ? null : new Date(rule.latest),
  trustedDevices: !forbidsTrust(rule),
  apiKeys: rule.apiKeys,
  counts: found?.ofRule(rule) ?? null,
})

const outcomes = ['opened', 'passed', 'failed', 'cancelled', 'expired'] as const
const actors = ['user', 'operator', 'system', 'anonymous']
const created = actors.map((actor) => `passkey.created succeeded ${actor}`)

async function readRecent(app: App): Promise<z.input<typeof policyView>['recent']> {
  const from = daysAgo(app, recentDays)
  const [byMethod, challenges, options, events] = await Promise.all([
    readTotals(app, 'sign-in by method', from),
    readTotals(app, 'challenge by outcome', from),
    readTotals(app, 'passkey-options', from),
    readTotals(app, 'event', from, created),
  ])
  const sum = (totals: ReadonlyMap<string, number>) => [...totals.values()].reduce((one, other) => one + other, 0)
  const ended = (kind: string) =>
    Object.fromEntries(outcomes.map((outcome) => [outcome, challenges.get(`${kind} ${outcome}`) ?? 0])) as Record<
      (typeof outcomes)[number],
      number
    >
  return {
    from,
    signIns: [...byMethod].map(([name, value]) => ({ method: name, count: value })),
    challenges: { verify: ended('verify'), setup: ended('setup') },
    passkeyRegistrations: { opened: sum(options), passed: sum(events) },
  }
}

type RecentSeries = 'sign-in by method' | 'challenge by outcome' | 'passkey-options' | 'event'

/** By label, the highest first. */
async function readTotals(app: App, series: RecentSeries, from: Date, labels?: readonly string[]): Promise<Map<string, number>> {
  const rows = await app.db
    .selectFrom('statistic')
    .select(['label', (eb) => eb.fn.sum<number | string>('value').as('value')])
    .where('series', '=', series)
    .where('unit', '=', 'day')
    .where('at', '>=', from)
    .$if(labels !== undefined, (query) => query.where('label', 'in', labels ?? []))
    .groupBy('label')
    .execute()
  const totals = rows.map(({ label, value }) => [label, Number(value)] as const)
  return new Map(totals.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1)))
}
