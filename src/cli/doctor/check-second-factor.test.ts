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
  ])('%j leads to a warning', (more, ...ids) => {
    expect(warnings(more)).toEqual(ids)
  })
  test('explain that a sign-in with a provider is asked for a second factor, unless one is trusted', () => {
    expect(explainProviders(config({ twoFactor: true, socialProviders: { github } }))).toContain('github')
    expect(explainProviders(config({ twoFactor: { trustProviders: ['github'] }, socialProviders: { github } }))).toBeNull()
    expect(explainProviders(config({ twoFactor: true }))).toBeNull()
    expect(explainProviders(config({ socialProviders: { github } }))).toBeNull()
  })
  test('are rejected when a path of stepUp.calls does not exist', () => {
    const parsed = parse({ ...given, twoFactor: { stepUp: { calls: { '/change-emial': 60 } } } })
    const [issue] = 'issues' in parsed ? parsed.issues : []
    expect(issue).toMatchObject({ id: 'config-unknown-path', path: 'twoFactor.stepUp.calls./change-emial' })
    expect(issue?.hint).toContain('/change-email')
  })
})
