/** The states of the page with the sign-in policy: what leads to them. */
import { type States, withResponse } from './leads.ts'
import { longestName } from './longest.ts'

const error = (code: string) => ({ code, message: 'The message of the API' })
const path = '/admin/sign-in-policy'
const at = '2026-11-14T06:00:00.000Z'

const noChallenges = { opened: 0, passed: 0, failed: 0, cancelled: 0, expired: 0 }
const openSignUp = { mode: 'open', allow: null, block: 0, disposable: null, oneMailbox: false, invitationsPass: false }
const closedSignUp = {
  ...{ mode: 'waiting-list', allow: 1200, block: 34, disposable: { domains: 4712, date: '2026-09-21' } },
  ...{ oneMailbox: true, invitationsPass: true },
}
const empty = {
  ...{ methods: ['password'], signUp: openSignUp, twoFactor: null, passkeys: false, users: null },
  recent: {
    ...{ from: at, signIns: [], challenges: { verify: noChallenges, setup: noChallenges } },
    passkeyRegistrations: { opened: 0, passed: 0 },
  },
}

const rule = {
  ...{ name: 'role:admin', roles: ['admin'], methods: ['passkey', 'totp'], graceDays: 0, latest: null },
  ...{ trustedDevices: false, apiKeys: false, counts: { users: 12, satisfied: 9, grace: 0, due: 3 } },
}
const adoption = Array.from({ length: 30 }, (_, day) => ({
  at: new Date(Date.UTC(2026, 9, 16 + day)).toISOString(),
  ...{ users: 12_000 + day * 40, secondFactor: 2400 + day * 30, passkey: 900 + day * 25 },
}))
const off = {
  ...{ methods: ['passkey', 'totp', 'sms'], organizations: null, trustProviders: [] },
  ...{ trustDeviceMaxAge: 0, stepUpMaxAge: null, rules: [] },
}
const complete = {
  methods: ['password', 'social', 'phone-number', 'email-code', 'magic-link', 'passkey', 'anonymous'],
  signUp: closedSignUp,
  twoFactor: {
    ...off,
    rules: [
      rule,
      { ...rule, ...{ name: 'everyone', roles: null, graceDays: 14, latest: '2027-03-01T00:00:00.000Z', trustedDevices: true } },
      { ...rule, ...{ name: 'role:other', roles: [longestName, longestName], graceDays: 1, counts: null, apiKeys: true } },
    ],
    ...{ organizations: { required: 3 }, trustDeviceMaxAge: 2_592_000, stepUpMaxAge: 900 },
    trustProviders: [
      { id: 'okta', amr: null },
      { id: longestName, amr: 'mfa' },
    ],
  },
  passkeys: true,
  users: {
    ...{ countedAt: at, total: 13_160, adoption },
    oneMethod: [
      { method: 'password', users: 5120 },
      { method: `social:${longestName}`, users: 812 },
      { method: 'passkey', users: 41 },
    ],
  },
  recent: {
    from: at,
    signIns: [
      { method: 'password', count: 40_120 },
      { method: 'passkey', count: 8120 },
      { method: 'social:github', count: 2210 },
      { method: 'token', count: 2 },
    ],
    challenges: {
      verify: { opened: 9000, passed: 8600, failed: 20, cancelled: 80, expired: 260 },
      setup: { opened: 40, passed: 31, failed: 0, cancelled: 4, expired: 3 },
    },
    passkeyRegistrations: { opened: 1200, passed: 830 },
  },
}

const firstDay = { countedAt: at, total: 2, oneMethod: [], adoption: adoption.slice(0, 1) }

export const signInPolicyStates: States = {
  [path]: {
    complete: withResponse(path, 200, complete, 'Set-ups that a rule demanded'),
    'second factors are off': withResponse(path, 200, empty, 'Second factors are off'),
    'no rule': withResponse(
      path,
      200,
      { ...empty, passkeys: true, users: firstDay, twoFactor: off },
      'No rule demands a second factor',
    ),
    table: async (page) => {
      await withResponse(path, 200, complete, 'With a second factor')(page)
      await page.getByRole('region', { name: 'With a second factor' }).getByText('Table').click()
      await page.getByRole('columnheader', { name: 'Day' }).waitFor()
    },
    'load error': withResponse(path, 400, error('INTERNAL_SERVER_ERROR'), 'INTERNAL_SERVER_ERROR'),
    'not permitted': withResponse(path, 403, error('FORBIDDEN'), 'You cannot open this page'),
  },
}
