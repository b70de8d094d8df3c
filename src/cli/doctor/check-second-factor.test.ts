import { describe, expect, test } from 'vitest'
import { type ConfigFile, featureList } from '../../features/index.ts'
import { configParser } from '../../project/config/parse-config.ts'
import { checkSecondFactor, explainProviders } from './check-second-factor.ts'

const parse = configParser(featureList)
const given = {
  ...{ secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c', database: { url: 'sqlite::memory:' }, baseURL: 'https://auth.acme.test' },
  emailAndPassword: { enabled: true },
}

function config(more: ConfigFile) {
  const parsed = parse({ ...given, ...more })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return parsed.config
}

const warnings = (more: ConfigFile) =>
  checkSecondFactor(config(more)).flatMap(({ id, status }) => (status === 'warning' ? [id] : []))
const mail = { from: 'a@acme.test', send: () => {} }
const recovery = { selfService: true }
/** Browsers have no passkeys there. */
const plain = { baseURL: 'http://192.168.1.2:3000', environment: 'development' } as const
const sms = { send: () => {} }
const github = { clientId: 'id', clientSecret: 'a client secret' }

describe('the options of second factors', () => {
  test('have no finding by default, and none while they are off', () => {
    expect(checkSecondFactor(config({ twoFactor: true }))).toMatchObject([{ id: 'second-factor', status: 'ok' }])
    expect(checkSecondFactor(config({}))).toEqual([])
    expect(warnings({ twoFactor: true, phoneNumber: true, sms })).toEqual([])
  })
  test.each<[config: ConfigFile, ...ids: string[]]>([
    [{ twoFactor: { otpOptions: { channels: ['email'] } }, mail }, 'second-factor-email'],
    [{ twoFactor: { otpOptions: { channels: ['email'] } } }, 'second-factor-sender:email'],
    [{ twoFactor: true, phoneNumber: true }, 'second-factor-sender:sms'],
    [{ twoFactor: { otpOptions: { channels: ['sms', 'email'] } }, mail }, ...['second-factor-sender:sms', 'second-factor-email']],
    [{ twoFactor: { skipVerificationOnEnable: true } }, 'second-factor-unverified'],
    [{ twoFactor: { totpOptions: { disable: true } }, phoneNumber: true, sms }, 'second-factor-sms-only'],
    [{ twoFactor: { trustProviders: ['entra'] }, socialProviders: { github } }, 'second-factor-providers'],
    [
      { twoFactor: { required: [{ everyone: true, methods: ['sms'] }], recovery }, mail, phoneNumber: true, sms },
      'second-factor-rule-sms',
    ],
    [{ twoFactor: { required: [{ everyone: true }] }, mail }, 'second-factor-recovery'],
    [{ twoFactor: { required: [{ roles: ['admin', 'staff'] }] }, mail, admin: true }, 'second-factor-rule-roles'],
  ])('%j leads to a warning', (more, ...ids) => {
    expect(warnings(more)).toEqual(ids)
  })
  test('have no finding with rules, when administrators or users can reset what is lost', () => {
    const required = [{ everyone: true as const }]
    expect(warnings({ twoFactor: { required, recovery }, mail })).toEqual([])
    expect(warnings({ twoFactor: { required }, mail, admin: true })).toEqual([])
  })
  test('explain that a sign-in with a provider is asked for a second factor, unless one is trusted', () => {
    expect(explainProviders(config({ twoFactor: true, socialProviders: { github } }))).toContain('github')
    expect(explainProviders(config({ twoFactor: { trustProviders: ['github'] }, socialProviders: { github } }))).toBeNull()
    expect(explainProviders(config({ twoFactor: true }))).toBeNull()
    expect(explainProviders(config({ socialProviders: { github } }))).toBeNull()
  })
  test.each<[config: ConfigFile, id: string]>([
    [{ twoFactor: { required: [{ everyone: true, methods: ['passkey'] }] }, mail }, 'two-factor-rule-methods'],
    [
      { twoFactor: { required: [{ roles: ['admin'], methods: ['passkey'] }] }, mail, admin: true, passkey: true, ...plain },
      'two-factor-rule-methods',
    ],
    [{ twoFactor: { required: [{ everyone: true, methods: ['sms'] }] }, mail, phoneNumber: true }, 'two-factor-rule-methods'],
    [{ twoFactor: { required: [{ roles: ['a', 'b'] }, { roles: ['b'] }] }, mail, admin: true }, 'two-factor-rule-repeated'],
    [{ twoFactor: { required: [{ roles: ['admin'] }] }, mail }, 'two-factor-rule-roles'],
    [{ twoFactor: { required: [{ everyone: true }] } }, 'two-factor-rule-mail'],
  ])('are rejected when a rule can never be satisfied: %j', (more, id) => {
    const parsed = parse({ ...given, ...more })
    expect('issues' in parsed ? parsed.issues.map((issue) => issue.id) : []).toEqual([id])
  })
  test('are rejected when a rule is for no one, for everyone and some roles, or has an unknown member', () => {
    for (const rule of [{}, { everyone: true, roles: ['admin'] }, { roles: [] }, { everyone: true, days: 3 }]) {
      const parsed = parse({ ...given, mail, admin: true, twoFactor: { required: [rule as never] } })
      expect('issues' in parsed, JSON.stringify(rule)).toBe(true)
    }
  })
  test('are rejected when a path of stepUp.calls does not exist', () => {
    const parsed = parse({ ...given, twoFactor: { stepUp: { calls: { '/change-emial': 60 } } } })
    const [issue] = 'issues' in parsed ? parsed.issues : []
    expect(issue).toMatchObject({ id: 'config-unknown-path', path: 'twoFactor.stepUp.calls./change-emial' })
    expect(issue?.hint).toContain('/change-email')
  })
})
