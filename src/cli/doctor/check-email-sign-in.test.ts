import { expect, test } from 'vitest'
import { type ConfigFile, featureList } from '../../features/index.ts'
import { configParser } from '../../project/config/parse-config.ts'
import { checkEmailSignIn } from './check-email-sign-in.ts'

const parse = configParser(featureList)
function findings(more: ConfigFile) {
  const parsed = parse({
    secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c',
    database: { url: 'sqlite::memory:' },
    baseURL: 'https://auth.acme.test',
    mail: { from: 'a@acme.test', smtp: 'smtp://127.0.0.1:25' },
    ...more,
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return checkEmailSignIn(parsed.config).map(({ id, status }) => `${id} ${status}`)
}

test('sign-in by email is not mentioned while it is off, and fine as it is by default', () => {
  expect(findings({})).toEqual([])
  expect(findings({ magicLink: true, emailOTP: true })).toEqual(['email-sign-in ok'])
})

test('without the hosted pages, mail scanners use up magic links, but no codes', () => {
  expect(findings({ magicLink: true, dashboard: { enabled: false } })).toEqual(['magic-link-scanners warning'])
  expect(findings({ emailOTP: true, dashboard: { enabled: false } })).toEqual(['email-sign-in ok'])
})

test('access from before the address was verified must not survive a sign-in by email', () => {
  const emailVerification = { revokeEarlierAccess: false }
  expect(findings({ emailOTP: true, emailVerification })).toEqual(['earlier-access warning'])
  expect(findings({ emailVerification })).toEqual([])
})
