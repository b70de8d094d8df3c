/** What rules demand of a user: the decision, which is pure (contract 11 §10). */
import { describe, expect, test } from 'vitest'
import { type Qualifying, type Rule, rulesFor, whatIsRequired } from './index.ts'
import { forbidsTrust } from './rules.ts'

const dayMs = 86_400_000
const now = new Date('2027-01-31T12:00:00Z')
const daysFromNow = (days: number) => new Date(now.getTime() + days * dayMs)

const rule = (given: Partial<Rule>): Rule => ({
  methods: ['passkey', 'totp'],
  graceDays: 0,
  apiKeys: true,
  ...(given.roles ? {} : { everyone: true as const }),
  ...given,
})

const decide = (rules: readonly Rule[], held: readonly Qualifying[], startedAt: Readonly<Record<string, Date>> = {}) =>
  whatIsRequired({ rules, held, startedAt: new Map(Object.entries(startedAt)), now })

describe('what is required', () => {
  test('is nothing without a rule', () => {
    expect(decide([], [])).toEqual({ result: 'none', reason: null, dueAt: null, methods: [] })
  })

  test('is satisfied by one of the methods, and names the rule', () => {
    expect(decide([rule({})], ['totp'])).toMatchObject({ result: 'satisfied', reason: 'everyone', dueAt: null })
    expect(decide([rule({ roles: ['admin', 'support'] })], ['passkey'])).toMatchObject({ reason: 'role:admin,support' })
  })

  test('is not satisfied by text messages unless the rule names them', () => {
    expect(decide([rule({})], ['sms']).result).toBe('setup')
    expect(decide([rule({ methods: ['sms'] })], ['sms']).result).toBe('satisfied')
  })

  test.each([
    ['now without grace', { graceDays: 0 }, undefined, 'setup', now],
    ['after the grace, from now when the user has not met the rule', { graceDays: 14 }, undefined, 'grace', daysFromNow(14)],
    ['after the grace, from when they met it', { graceDays: 14 }, daysFromNow(-10), 'grace', daysFromNow(4)],
    ['when the grace is just over', { graceDays: 14 }, daysFromNow(-14), 'setup', now],
    ['at the latest', { graceDays: 14, latest: daysFromNow(2).toISOString() }, undefined, 'grace', daysFromNow(2)],
    ['when the latest is over', { graceDays: 14, latest: '2027-01-01' }, undefined, 'setup', new Date('2027-01-01')],
    ['after the grace that ends before the latest', { graceDays: 1, latest: '2028-01-01' }, undefined, 'grace', daysFromNow(1)],
  ] as const)('takes effect %s', (_, given, startedAt, result, dueAt) => {
    const decided = decide([rule(given)], [], startedAt ? { everyone: startedAt } : {})
    expect(decided).toMatchObject({ result, dueAt, reason: 'everyone' })
  })

  test('is decided by the rule that is due first of those that are not satisfied', () => {
    const rules = [rule({ graceDays: 14 }), rule({ roles: ['admin'], methods: ['passkey'], graceDays: 3 })]
    expect(decide(rules, [])).toMatchObject({ reason: 'role:admin', methods: ['passkey'] })
    expect(decide(rules, ['totp'])).toMatchObject({ result: 'grace', reason: 'role:admin' })
    expect(decide(rules, ['passkey'])).toMatchObject({ result: 'satisfied', reason: 'everyone' })
  })
})

describe('the rules of a user', () => {
  const admin = { defaultRole: 'user', adminRoles: ['admin'], adminUserIds: ['by-id'] } as never
  const under = (user: { id?: string; role?: string | null; isAnonymous?: boolean }) =>
    rulesFor(
      { twoFactor: { enabled: true, required: [rule({ roles: ['admin'] }), rule({})] } as never, admin },
      {
        id: 'ann',
        role: null,
        ...user,
      },
    ).map(({ roles }) => roles?.[0] ?? 'everyone')

  test('are those for everyone and for their roles', () => {
    expect([under({}), under({ role: 'support,admin' }), under({ role: 'administrator' })]).toEqual([
      ['everyone'],
      ['admin', 'everyone'],
      ['everyone'],
    ])
  })

  test('include that of administrators for the users who are administrators by id', () => {
    expect(under({ id: 'by-id' })).toEqual(['admin', 'everyone'])
  })

  test('are none for anonymous users', () => {
    expect(under({ isAnonymous: true })).toEqual([])
  })
})

test('trusted browsers are off under a rule for roles without grace, unless it says otherwise', () => {
  const roles = ['admin']
  expect(
    [rule({ roles }), rule({ roles, graceDays: 1 }), rule({}), rule({ roles, trustedDevices: true })].map(forbidsTrust),
  ).toEqual([true, false, false, false])
  expect(forbidsTrust(rule({ graceDays: 5, trustedDevices: false }))).toBe(true)
})
