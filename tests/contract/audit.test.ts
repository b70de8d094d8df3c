/** Every call that may change something records an event: the calls are derived from the features. */
import { describe, expect, test } from 'vitest'
import { type App, extend } from '../../src/core/app.ts'
import { createLockLink } from '../../src/features/account-lock/lock-links.ts'
import { flushDenials } from '../../src/features/audit/index.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { jobs as outboxJobs } from '../../src/features/outbox/index.ts'
import { seed as seedRoles, setUserRole } from '../../src/features/roles/index.ts'
import { revokeInBatches } from '../../src/features/sessions/index.ts'
import { importUsers } from '../../src/features/transfer/index.ts'
import { testApp } from '../kit/app.ts'
import { type Authenticator, createAuthenticator } from '../kit/authenticator.ts'
import type { Answer, Browser } from '../kit/browser.ts'
import { captureCodes, captureMails } from '../kit/mails.ts'
import { startFlow } from '../kit/provider-stand-in.ts'
import { isAuthenticated, readRows, revokeBeforeNextWrite, withKey } from '../kit/revocation.ts'
import { ann as annAtProvider, socialApp } from '../kit/social.ts'
import { exemptOfSecondFactor, secondFactorEntries } from './audit-second-factor.ts'

const password = 'correct horse battery'
const newPassword = 'another fine passphrase'
const ann = { name: 'Ann Fictitious', email: 'ann@example.com', password }

async function open() {
  const [links, resets, changes, deletions] = [captureMails(), captureMails(), captureMails(), captureMails()]
  const texts = captureCodes<{ readonly code?: string; readonly text: string }>()
  const kit = await socialApp({
    multiSession: true,
    username: true,
    phoneNumber: true,
    apiKey: true,
    sms: { send: (message) => texts.send(message) },
    emailOTP: {
      sendVerificationOTP: ({ otp }) => texts.send({ text: otp }),
      changeEmail: { enabled: true, verifyCurrentEmail: false },
    },
    magicLink: { sendMagicLink: ({ token }) => texts.send({ text: token }) },
    oneTimeToken: true,
    passkey: true,
    anonymous: true,
    signUp: { inviteLinks: { url: 'https://app.example.com/join' }, waitingList: { url: 'https://app.example.com/sign-up' } },
    twoFactor: true,
    emailAndPassword: { enabled: true, sendResetPassword: resets.send },
    emailVerification: { sendVerificationEmail: links.send },
    user: {
      changeEmail: { enabled: true, sendChangeEmailVerification: changes.send },
      deleteUser: { enabled: true, sendDeleteAccountVerification: deletions.send },
      additionalFields: { plan: { type: 'string', required: false } },
    },
    session: { additionalFields: { theme: { type: 'string', required: false } } },
  })
  const browser = kit.browser()
  const { user } = (await browser.call('POST /sign-up/email', { body: ann })).body
  return { ...kit, user: browser, userId: String(user.id), links, resets, changes, deletions, texts }
}
type Opened = Awaited<ReturnType<typeof open>>

const verify = async ({ app, userId }: Opened) => {
  await app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', userId).execute()
}

async function resetToken({ user, resets }: Opened): Promise<string> {
  await user.call('POST /request-password-reset', { body: { email: ann.email } })
  return (await resets.next()).token
}

async function linkFromProvider(kit: Opened): Promise<Answer> {
  await verify(kit)
  return kit.signIn(kit.user, 'google', annAtProvider, { start: 'POST /link-social' })
}

async function postCallback(browser: Browser, provider: 'google' | 'acme', code: string): Promise<Answer> {
  const url = await startFlow(browser, provider, { body: { callbackURL: '/in' } })
  const path = provider === 'google' ? '/callback/google' : '/oauth2/callback/acme'
  return browser.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' })),
  })
}

interface Entry {
  /** Before the events are looked at. @returns what `run` gets */
  readonly prepare?: (kit: Opened) => Promise<unknown>
  readonly run: (kit: Opened, prepared: never) => Promise<Answer>
  /** The recorded actions, in order; a failed one with its outcome. */
  readonly records: readonly string[]
}

const stored = async ({ app, userId }: Opened) =>
  (await app.db.selectFrom('session').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()).id
const setupLink = async ({ app, userId }: Opened): Promise<string> => {
  const { createSetupLink } = await import('../../src/features/setup/setup-link.ts')
  return new URL(await createSetupLink(app, userId)).searchParams.get('token') ?? ''
}

async function verificationLink({ user, links }: Opened): Promise<string> {
  await user.call('POST /send-verification-email', { body: { email: ann.email } })
  return (await links.next()).token
}

const phoneNumber = '+15555550123'

/** The next code that was sent. */
const sentCode = async ({ texts }: Opened): Promise<string> => /\d{6}/.exec((await texts.next()).text)?.[0] ?? ''

/** Gives the user a username and a verified phone number. */
const identify = async ({ app, userId }: Opened) => {
  const columns = { username: 'ann', displayUsername: 'Ann', phoneNumber, phoneNumberVerified: true }
  await app.db.updateTable('user').set(columns).where('id', '=', userId).execute()
}

/** What an email has: a code, or the token of a link. */
async function mailed(kit: Opened, path: string, more: object, before?: (kit: Opened) => Promise<void>): Promise<string> {
  await before?.(kit)
  const body = JSON.stringify({ email: ann.email, ...more })
  await kit.browser().request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await kit.texts.next()).text
}

async function resetCode(kit: Opened): Promise<string> {
  await identify(kit)
  await kit.browser().call('POST /phone-number/request-password-reset', { body: { phoneNumber } })
  return sentCode(kit)
}

/** The body that names a key: its ID is the target of events. */
const createKey = async ({ user }: Opened): Promise<{ keyId: string }> => ({
  keyId: (await user.call('POST /api-key/create', { body: { name: 'Deployment' } })).body.id,
})

/** Ann's passkey, added in this browser. */
async function addPasskey({ user, app }: Opened) {
  const device = createAuthenticator()
  const { body } = await user.call('GET /passkey/generate-register-options', { query: {} })
  const added = await user.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
  return {
    device,
    id: String(added.body.id),
    suspend: () =>
      app.db
        .updateTable('passkey')
        .set({ suspendedAt: new Date(0) })
        .execute(),
  }
}

const passkeyEntries: Readonly<Record<string, Entry>> = {
  'POST /passkey/verify-registration': {
    prepare: async ({ user }) => (await user.call('GET /passkey/generate-register-options', { query: {} })).body,
    run: ({ user }, options: Parameters<Authenticator['create']>[0]) =>
      user.call('POST /passkey/verify-registration', { body: { response: { ...createAuthenticator().create(options) } } }),
    records: ['passkey.created'],
  },
  'POST /passkey/verify-authentication': {
    prepare: addPasskey,
    run: async ({ browser }, { device }: Awaited<ReturnType<typeof addPasskey>>) => {
      const visitor = browser()
      const { body } = await visitor.call('GET /passkey/generate-authenticate-options', {})
      return visitor.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(body) } } })
    },
    records: ['user.signed-in'],
  },
  'POST /passkey/update-passkey': {
    prepare: addPasskey,
    run: ({ user }, { id }: Awaited<ReturnType<typeof addPasskey>>) =>
      user.call('POST /passkey/update-passkey', { body: { id, name: 'Work' } }),
    records: ['passkey.renamed'],
  },
  'POST /passkey/delete-passkey': {
    prepare: addPasskey,
    run: ({ user }, { id }: Awaited<ReturnType<typeof addPasskey>>) =>
      user.call('POST /passkey/delete-passkey', { body: { id } }),
    records: ['passkey.deleted'],
  },
  'POST /passkey/restore-passkey': {
    prepare: async (kit) => {
      const passkey = await addPasskey(kit)
      await passkey.suspend()
      return passkey
    },
    run: ({ user }, { id }: Awaited<ReturnType<typeof addPasskey>>) =>
      user.call('POST /passkey/restore-passkey', { body: { id } }),
    records: ['passkey.restored'],
  },
  'POST /remove-password': {
    prepare: addPasskey,
    run: ({ user }) => user.call('POST /remove-password', {}),
    records: ['password.removed'],
  },
}

const entries: Readonly<Record<string, Entry>> = {
  ...passkeyEntries,
  ...secondFactorEntries<Opened>(sentCode),
  'POST /sign-up/email': {
    run: ({ browser }) => browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } }),
    records: ['user.created', 'user.signed-in'],
  },
  'POST /sign-in/email': {
    run: ({ browser }) => browser().call('POST /sign-in/email', { body: ann }),
    records: ['user.signed-in'],
  },
  'POST /sign-in/username': {
    prepare: identify,
    run: ({ browser }) => browser().call('POST /sign-in/username', { body: { username: 'ann', password } }),
    records: ['user.signed-in'],
  },
  'POST /sign-in/phone-number': {
    prepare: identify,
    run: ({ browser }) => browser().call('POST /sign-in/phone-number', { body: { phoneNumber, password } }),
    records: ['user.signed-in'],
  },
  'POST /phone-number/send-otp': {
    prepare: identify,
    run: ({ browser }) => browser().call('POST /phone-number/send-otp', { body: { phoneNumber } }),
    records: ['phone-number.code-requested'],
  },
  'POST /phone-number/verify': {
    prepare: async (kit) => {
      await identify(kit)
      await kit.browser().call('POST /phone-number/send-otp', { body: { phoneNumber } })
      return sentCode(kit)
    },
    run: ({ browser }, code: string) => browser().call('POST /phone-number/verify', { body: { phoneNumber, code } }),
    records: ['user.signed-in'],
  },
  'POST /phone-number/request-password-reset': {
    prepare: identify,
    run: ({ browser }) => browser().call('POST /phone-number/request-password-reset', { body: { phoneNumber } }),
    records: ['password-reset.requested'],
  },
  'POST /phone-number/forget-password': {
    prepare: identify,
    run: ({ browser }) => browser().call('POST /phone-number/forget-password', { body: { phoneNumber } }),
    records: ['password-reset.requested'],
  },
  'POST /phone-number/reset-password': {
    prepare: resetCode,
    run: ({ browser }, otp: string) =>
      browser().call('POST /phone-number/reset-password', { body: { phoneNumber, otp, newPassword } }),
    records: ['sessions.revoked', 'password.reset'],
  },
  'POST /email-otp/send-verification-otp': {
    run: ({ browser }) =>
      browser().call('POST /email-otp/send-verification-otp', { body: { email: ann.email, type: 'sign-in' } }),
    records: ['email-code.requested'],
  },
  'POST /sign-in/email-otp': {
    prepare: (kit) => mailed(kit, '/email-otp/send-verification-otp', { type: 'sign-in' }, verify),
    run: ({ browser }, otp: string) => browser().call('POST /sign-in/email-otp', { body: { email: ann.email, otp } }),
    records: ['user.signed-in'],
  },
  'POST /email-otp/verify-email': {
    prepare: (kit) => mailed(kit, '/email-otp/send-verification-otp', { type: 'email-verification' }),
    run: ({ browser }, otp: string) => browser().call('POST /email-otp/verify-email', { body: { email: ann.email, otp } }),
    records: ['sessions.revoked', 'password.removed', 'earlier-access.ended', 'user.email-verified'],
  },
  'POST /email-otp/request-password-reset': {
    run: ({ browser }) => browser().call('POST /email-otp/request-password-reset', { body: { email: ann.email } }),
    records: ['email-code.requested'],
  },
  'POST /forget-password/email-otp': {
    run: ({ browser }) => browser().call('POST /forget-password/email-otp', { body: { email: ann.email } }),
    records: ['email-code.requested'],
  },
  'POST /email-otp/reset-password': {
    prepare: (kit) => mailed(kit, '/email-otp/request-password-reset', {}, verify),
    run: ({ browser }, otp: string) =>
      browser().call('POST /email-otp/reset-password', { body: { email: ann.email, otp, password: newPassword } }),
    records: ['sessions.revoked', 'password.reset'],
  },
  'POST /email-otp/request-email-change': {
    run: ({ user }) => user.call('POST /email-otp/request-email-change', { body: { newEmail: 'new@example.com' } }),
    records: ['email-code.requested'],
  },
  'POST /email-otp/change-email': {
    prepare: async (kit) => {
      await kit.user.call('POST /email-otp/request-email-change', { body: { newEmail: 'new@example.com' } })
      return sentCode(kit)
    },
    run: ({ user }, otp: string) => user.call('POST /email-otp/change-email', { body: { newEmail: 'new@example.com', otp } }),
    records: ['user.email-changed', 'user.email-verified'],
  },
  'POST /sign-in/magic-link': {
    run: ({ browser }) => browser().call('POST /sign-in/magic-link', { body: { email: ann.email } }),
    records: ['magic-link.requested'],
  },
  'POST /magic-link/verify': {
    prepare: (kit) => mailed(kit, '/sign-in/magic-link', {}, verify),
    run: ({ browser }, token: string) => browser().call('POST /magic-link/verify', { body: { token } }),
    records: ['user.signed-in'],
  },
  'POST /api-key/create': {
    run: ({ user }) => user.call('POST /api-key/create', { body: { name: 'Deployment' } }),
    records: ['api-key.created'],
  },
  'POST /api-key/update': {
    prepare: createKey,
    run: ({ user }, key: { keyId: string }) => user.call('POST /api-key/update', { body: { ...key, enabled: false } }),
    records: ['api-key.updated'],
  },
  'POST /api-key/delete': {
    prepare: createKey,
    run: ({ user }, key: { keyId: string }) => user.call('POST /api-key/delete', { body: key }),
    records: ['api-key.deleted'],
  },
  'POST /sign-out': { run: ({ user }) => user.call('POST /sign-out', {}), records: ['user.signed-out'] },
  'POST /multi-session/revoke': {
    run: async (kit) => kit.user.call('POST /multi-session/revoke', { body: { sessionToken: await stored(kit) } }),
    records: ['user.signed-out'],
  },
  'POST /one-time-token/verify': {
    prepare: async ({ user }) => (await user.call('GET /one-time-token/generate', {})).body.token,
    run: ({ browser }, token: string) => browser().call('POST /one-time-token/verify', { body: { token } }),
    records: ['session.transferred'],
  },
  'POST /waiting-list/join': {
    run: ({ browser }) => browser().call('POST /waiting-list/join', { body: { email: 'wanda@example.com' } }),
    records: ['waiting-list.joined'],
  },
  'POST /sign-in/anonymous': {
    run: ({ browser }) => browser().call('POST /sign-in/anonymous', {}),
    records: ['user.created', 'user.signed-in'],
  },
  'POST /update-session': {
    run: ({ user }) => user.call('POST /update-session', { body: { theme: 'dark' } }),
    records: ['session.updated'],
  },
  'POST /revoke-session': {
    run: async (kit) => kit.user.call('POST /revoke-session', { body: { token: await stored(kit) } }),
    records: ['sessions.revoked'],
  },
  'POST /revoke-sessions': { run: ({ user }) => user.call('POST /revoke-sessions', {}), records: ['sessions.revoked'] },
  'POST /revoke-other-sessions': {
    prepare: ({ browser }) => browser().call('POST /sign-in/email', { body: ann }),
    run: ({ user }) => user.call('POST /revoke-other-sessions', {}),
    records: ['sessions.revoked'],
  },
  'POST /unlink-account': {
    prepare: linkFromProvider,
    run: ({ user }) => user.call('POST /unlink-account', { body: { providerId: 'google' } }),
    records: ['account.unlinked'],
  },
  'POST /send-verification-email': {
    run: ({ browser }) => browser().call('POST /send-verification-email', { body: { email: ann.email } }),
    records: ['email-verification.requested'],
  },
  'POST /verify-email': {
    prepare: verificationLink,
    run: ({ user }, token: string) => user.call('POST /verify-email', { body: { token } }),
    records: ['user.email-verified'],
  },
  'POST /verify-email/with-password': {
    prepare: verificationLink,
    run: ({ browser }, token: string) =>
      browser().call('POST /verify-email/with-password', { body: { token, password: ann.password } }),
    records: ['user.email-verified'],
  },
  'POST /verify-email/with-new-password': {
    prepare: verificationLink,
    run: ({ browser }, token: string) => browser().call('POST /verify-email/with-new-password', { body: { token, newPassword } }),
    records: ['password.set', 'sessions.revoked', 'user.email-verified'],
  },
  'POST /set-up': {
    prepare: setupLink,
    run: ({ browser }, token: string) => browser().call('POST /set-up', { body: { token, newPassword } }),
    records: ['password.set'],
  },
  'POST /sign-in/social': {
    run: async ({ browser, idToken }) =>
      browser().call('POST /sign-in/social', {
        body: { provider: 'google', idToken: { token: await idToken({ ...annAtProvider, email: 'eve@example.com' }) } },
      }),
    records: ['user.created', 'user.signed-in'],
  },
  'POST /link-social': {
    prepare: verify,
    run: async ({ user, idToken }) =>
      user.call('POST /link-social', { body: { provider: 'google', idToken: { token: await idToken() } } }),
    records: ['account.linked'],
  },
  'POST /callback/:id': {
    run: (kit) => postCallback(kit.browser(), 'google', kit.codeFor({ ...annAtProvider, email: 'eve@example.com' })),
    records: ['user.created', 'user.signed-in'],
  },
  'POST /oauth2/callback/:providerId': {
    run: (kit) => postCallback(kit.browser(), 'acme', kit.codeFor({ ...annAtProvider, email: 'eve@example.com' })),
    records: ['user.created', 'user.signed-in'],
  },
  'POST /request-password-reset': {
    run: ({ browser }) => browser().call('POST /request-password-reset', { body: { email: ann.email } }),
    records: ['password-reset.requested'],
  },
  'POST /forget-password': {
    run: ({ browser }) => browser().call('POST /forget-password', { body: { email: ann.email } }),
    records: ['password-reset.requested'],
  },
  'POST /reset-password': {
    prepare: resetToken,
    run: ({ browser }, token: string) => browser().call('POST /reset-password', { body: { token, newPassword } }),
    records: ['sessions.revoked', 'password.reset'],
  },
  'POST /lock-account': {
    prepare: async ({ app, userId }) => {
      const url = await createLockLink(app, { userId, email: 'ann@example.com' })
      return new URL(url ?? '').searchParams.get('token')
    },
    run: ({ browser }, token: string) => browser().call('POST /lock-account', { body: { token } }),
    records: ['password.replacement-required', 'user.locked'],
  },
  'POST /change-password': {
    run: ({ user }) =>
      user.call('POST /change-password', { body: { currentPassword: password, newPassword, revokeOtherSessions: true } }),
    records: ['sessions.revoked', 'password.changed'],
  },
  'POST /verify-password': {
    run: ({ user }) => user.call('POST /verify-password', { body: { password } }),
    records: ['password.verified'],
  },
  'POST /change-email': {
    prepare: verify,
    run: ({ user }) => user.call('POST /change-email', { body: { newEmail: 'new@example.com' } }),
    records: ['email-change.requested'],
  },
  'POST /update-user': {
    run: ({ user }) => user.call('POST /update-user', { body: { name: 'Ann Invented', plan: 'pro' } as object }),
    records: ['user.updated'],
  },
  'POST /update-picture': {
    run: ({ user }) => user.call('POST /update-picture', { body: { picture: null } }),
    records: ['user.updated'],
  },
  'POST /delete-anonymous-user': {
    prepare: async ({ app, userId }) => {
      const guest = { isAnonymous: true, email: 'temp-0123456789@localhost', emailVerified: false }
      await app.db.updateTable('user').set(guest).where('id', '=', userId).execute()
      await app.db.deleteFrom('account').where('userId', '=', userId).execute()
    },
    run: ({ user }) => user.call('POST /delete-anonymous-user', {}),
    records: ['user.deleted'],
  },
  'POST /delete-user': {
    prepare: async ({ user, deletions }) => {
      await user.call('POST /delete-user', { body: {} })
      return (await deletions.next()).token
    },
    run: ({ user }, token: string) => user.call('POST /delete-user', { body: { token } }),
    records: ['user.deleted'],
  },
}

/** Calls that record nothing when they succeed, and why. */
const exempt: Readonly<Record<string, string>> = {
  ...exemptOfSecondFactor,
  ...Object.fromEntries(
    ['accept', 'postpone', 'decline', 'delete-account'].map((name) => [
      `POST /terms/${name}`,
      'is recorded, and needs documents: `src/features/terms/terms.test.ts`',
    ]),
  ),
  'POST /terms/cancel': 'ends a sign-in that waits, of which nothing is recorded yet',
  'POST /multi-session/set-active': 'chooses between sessions that the browser has',
  'POST /passkey/generate-authenticate-options': 'reads',
  'POST /passkey/sign-up': 'sends a code; the user is created later',
  'POST /passkey/verify-sign-up': 'uses a code; there is no user yet',
  'POST /is-username-available': 'reads',
  'POST /reset-password/check': 'reads',
  'POST /lock-account/check': 'reads',
  'POST /set-up/check': 'reads',
  'POST /verification-link': 'reads',
  'POST /magic-link/preview': 'reads',
  'POST /invite-link/preview': 'reads',
  'POST /invite-link/open': 'sets a cookie; the use of the link is recorded',
  'POST /invite-link/accept': 'tested with the links (`invite-link.used`)',
  'POST /email-otp/check-verification-otp': 'reads',
  'POST /account-info': 'reads',
  'POST /get-access-token': 'refreshes the tokens of a provider, nothing of the user',
  'POST /refresh-token': 'refreshes the tokens of a provider, nothing of the user',
  'POST /list-export/create': 'tested with the exports (`list-export.created`)',
  'POST /list-export/pause': 'changes when the own file is written, not what is in it',
  'POST /list-export/resume': 'changes when the own file is written, not what is in it',
  'POST /list-export/delete': 'deletes the own file; its creation and its downloads are recorded',
  'POST /sign-in/oauth2': 'starts a redirect; its callback records the sign-in',
  'POST /oauth2/link': 'starts a redirect; its callback records the link',
}
/** Their calls are in audit-administration.test.ts. */
const elsewhere = ['POST /organization/', 'POST /admin/']

/** The actions of events in the order in which they were recorded, without those that `before` has. */
async function recorded({ app }: { app: App }, before: ReadonlySet<string>) {
  await flushDenials(app)
  const rows = await app.db.selectFrom('auditEvent').selectAll().execute()
  return rows.filter(({ id }) => !before.has(id))
}

const keys = Object.values(featureList).flatMap(({ routes = {} }) =>
  Object.entries(routes).flatMap(([key, { declaration }]) => (declaration.access.kind === 'server' ? [] : [key])),
)
const posts = keys.filter((key) => key.startsWith('POST ') && !elsewhere.some((area) => key.startsWith(area)))

test('every POST records an event, or has a reason not to', () => {
  expect([...Object.keys(entries), ...Object.keys(exempt)].sort()).toEqual([...posts].sort())
})

describe.each(Object.entries(entries))('%s', (_, { prepare, run, records }) => {
  test('records what it did, without a name, an email address or a secret', async () => {
    const kit = await open()
    const prepared = await prepare?.(kit)
    const before = new Set((await recorded(kit, new Set())).map(({ id }) => id))
    const response = await run(kit, prepared as never)
    expect(response.status).toBeLessThan(400)
    const rows = await recorded(kit, before)
    expect(rows.map(({ action }) => action).sort()).toEqual([...records].sort())
    expect(rows.map(({ outcome }) => outcome)).toEqual(records.map(() => 'succeeded'))
    const text = JSON.stringify(rows)
    for (const secret of ['Fictitious', 'Invented', 'example.com', password, newPassword, String(prepared ?? password)])
      expect(text).not.toContain(secret)
  })
})

/** A link is rejected with the error of links. A verified password changes nothing but the session, which is gone. */
const otherStatus: Readonly<Record<string, number>> = { 'POST /link-social': 417 }
const held = Object.entries(entries).filter(([key]) => isAuthenticated(key))
describe.each(held)('%s', (key, { prepare, run }) => {
  test('changes nothing when all sessions end after it was authenticated', async () => {
    const kit = await open()
    const prepared = await prepare?.(kit)
    const before = await readRows(kit)
    revokeBeforeNextWrite(kit)
    const { status } = await run(kit, prepared as never)
    expect([status, await readRows(kit)]).toEqual([otherStatus[key] ?? 401, before])
  })
})

/** With an API key as credential; a call that accepts none responds with 403. */
describe.each(held)('%s', (_, { prepare, run }) => {
  test('changes nothing when its API key ends after it was authenticated', async () => {
    const kit = await open()
    // First, because with a second factor a key needs a proof of it.
    const user = await withKey(kit, kit.user)
    const prepared = await prepare?.(kit)
    const before = await readRows(kit, 'apikey')
    revokeBeforeNextWrite(kit, 'apikey')
    const { status } = await run({ ...kit, user }, prepared as never)
    expect([401, 403]).toContain(status)
    expect(await readRows(kit, 'apikey')).toEqual(before)
  })
})

describe('failures', () => {
  test('a wrong password names the account by id, an unknown email address names none', async () => {
    const kit = await open()
    for (const email of [ann.email, 'unknown@example.com'])
      await kit.browser().call('POST /sign-in/email', { body: { email, password: 'a wrong password' } })
    const failed = (await recorded(kit, new Set())).filter(({ action }) => action === 'sign-in.failed')
    expect(failed.map(({ userId, outcome, details }) => [userId, outcome, Reflect.get(details, 'code')]).sort()).toEqual(
      [
        [kit.userId, 'failed', 'INVALID_EMAIL_OR_PASSWORD'],
        [null, 'failed', 'INVALID_EMAIL_OR_PASSWORD'],
      ].sort(),
    )
  })

  test('an attempt for a user without a password, and one that backoff rejects, name the account by id', async () => {
    const kit = await testApp({ attempts: { enabled: true, perNetwork: { failures: 1, firstDelay: 60 } } })
    await kit.browser().call('POST /sign-up/email', { body: ann })
    await kit.app.db.deleteFrom('account').execute()
    const user = await kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    const attempt = () => kit.browser().call('POST /sign-in/email', { body: { email: ann.email, password: 'a wrong password' } })
    expect([(await attempt()).status, (await attempt()).status]).toEqual([401, 429])
    await flushDenials(kit.app)
    const events = await kit.app.db
      .selectFrom('auditEvent')
      .select(['action', 'userId'])
      .where('outcome', '!=', 'succeeded')
      .execute()
    const actions = events.filter(({ userId }) => userId === user.id).map(({ action }) => action)
    expect(actions.sort()).toEqual(['rate-limit.reached', 'sign-in.failed'])
  })

  test.each([
    ['POST /verify-password', { password: 'a wrong password' }],
    ['POST /change-password', { currentPassword: 'a wrong password', newPassword }],
    ['POST /delete-user', { password: 'a wrong password' }],
  ] as const)('%s with a wrong password is a failed authentication of the user', async (key, body) => {
    const kit = await open()
    expect((await kit.user.call(key, { body } as never)).status).toBe(400)
    const rows = (await recorded(kit, new Set())).filter(({ action }) => action === 'sign-in.failed')
    expect(rows).toMatchObject([{ userId: kit.userId, actorId: kit.userId, outcome: 'failed' }])
  })

  test('a forged reset link, setup link or verification link is a failed authentication', async () => {
    const kit = await open()
    await kit.browser().call('POST /reset-password', { body: { token: 'forged', newPassword } })
    await kit.browser().call('POST /set-up', { body: { token: 'forged', newPassword } })
    await kit.browser().call('GET /verify-email', { query: { token: 'forged', callbackURL: '/in' } })
    const rows = await recorded(kit, new Set())
    const failed = rows.filter(({ action }) => action === 'sign-in.failed')
    expect(failed.map(({ details }) => Reflect.get(details, 'route')).sort()).toEqual(
      ['GET /verify-email', 'POST /reset-password', 'POST /set-up'].sort(),
    )
  })

  test('a provider callback that redirects with an error is a failed sign-in', async () => {
    const kit = await open()
    await kit.browser().request('/callback/google?error=access_denied&state=forged')
    await kit.browser().request('/oauth2/callback/acme?code=code&state=forged')
    const failed = (await recorded(kit, new Set())).filter(({ action }) => action === 'sign-in.failed')
    expect(failed.map(({ details }) => Reflect.get(details, 'route')).sort()).toEqual([
      'GET /callback/:id',
      'GET /oauth2/callback/:providerId',
    ])
  })

  test('requests for links are recorded for unknown email addresses too', async () => {
    const kit = await open()
    const email = 'unknown@example.com'
    await kit.browser().call('POST /request-password-reset', { body: { email } })
    await kit.browser().call('POST /send-verification-email', { body: { email } })
    const failed = (await recorded(kit, new Set())).filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ action, userId }) => [action, userId]).sort()).toEqual([
      ['email-verification.requested', null],
      ['password-reset.requested', null],
    ])
  })
})

test('a sign-in is by the user, with their session, method, IP address and request', async () => {
  const kit = await open()
  const [created, signedIn] = ['user.created', 'user.signed-in'].map(async (action) =>
    (await recorded(kit, new Set())).find((row) => row.action === action),
  )
  const { id } = await kit.app.db.selectFrom('session').select('id').executeTakeFirstOrThrow()
  expect(await created).toMatchObject({ actorKind: 'anonymous', targetId: kit.userId, details: { method: 'password' } })
  expect(await signedIn).toMatchObject({
    ...{ actorKind: 'user', actorId: kit.userId, userId: kit.userId, targetType: 'session', targetId: id },
    details: { method: 'password' },
  })
  expect((await signedIn)?.requestId).toMatch(/^[\w-]{20}$/)
})

test('a sign-in whose event cannot be written creates no session', async () => {
  const kit = await open()
  await kit.app.db.schema.dropTable('auditEvent').execute()
  const before = await kit.app.db.selectFrom('session').select('id').execute()
  expect((await kit.browser().call('POST /sign-in/email', { body: ann })).status).toBe(500)
  expect(await kit.app.db.selectFrom('session').select('id').execute()).toEqual(before)
})

describe('operators and jobs', () => {
  const readSecret = () => undefined
  const operate = async (config: ConfigFile = {}) => {
    const kit = await testApp({ mailLimit: { enabled: false }, ...config })
    return { ...kit, operator: extend(kit.app, { actor: { kind: 'operator', name: 'root' } as const }) }
  }
  const actionsOf = (rows: Awaited<ReturnType<typeof recorded>>) => rows.map(({ actorKind, action }) => `${actorKind} ${action}`)

  test('seeding records each role, administrator and change of a role', async () => {
    const seeds = { roles: { admin: { user: ['list'] } }, admins: [{ email: 'ann@example.com', name: 'Ann' }] }
    const { operator } = await operate({ seed: seeds })
    for (const feature of operator.features) await feature.seed?.(operator, { dryRun: false, prune: false, readSecret })
    expect(actionsOf(await recorded({ app: operator }, new Set()))).toEqual(
      expect.arrayContaining(['operator role.created', 'operator user.created', 'operator setup-link.created']),
    )
    const { id } = await operator.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    await setUserRole(operator, id, 'other')
    const changed = (await recorded({ app: operator }, new Set())).find(({ action }) => action === 'user.role-changed')
    expect(changed).toMatchObject({ targetId: id, details: { from: 'admin', to: 'other' } })
    const removed = { ...operator.config, seed: { ...operator.config.seed, roles: {} } }
    await seedRoles(extend(operator, { config: removed }), { dryRun: false, prune: true, readSecret })
    expect(actionsOf(await recorded({ app: operator }, new Set()))).toContain('operator role.deleted')
  })

  test('an import records one event for a transaction, and none for a dry run', async () => {
    const { operator } = await operate()
    const lines = [1, 2, 3].map((number) => ({
      number,
      text: JSON.stringify({ user: { name: 'Ann', email: `ann-${number}@example.com` }, accounts: [] }),
    }))
    await importUsers(operator, { dryRun: true })(lines)
    expect(await recorded({ app: operator }, new Set())).toEqual([])
    await importUsers(operator, { dryRun: false })(lines)
    expect(await recorded({ app: operator }, new Set())).toMatchObject([
      { action: 'users.imported', actorKind: 'operator', details: { users: 3, accounts: 0 } },
    ])
  })

  test('revoking the sessions of all users records one event with the count, also when it is stopped', async () => {
    const { operator, browser } = await operate()
    for (const name of ['ann', 'bob'])
      await browser().call('POST /sign-up/email', { body: { name, email: `${name}@example.com`, password } })
    const before = new Set((await recorded({ app: operator }, new Set())).map(({ id }) => id))
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    await revokeInBatches(operator, { signal: stop.signal, onProgress }).catch(() => undefined)
    expect(await recorded({ app: operator }, before)).toMatchObject([
      { action: 'sessions.revoked', actorKind: 'operator', targetId: null, details: { count: 2 } },
    ])
  })

  test('an email that fails permanently is an event of its delivery', async () => {
    const reject = () => {
      throw new Error('rejected')
    }
    const { app, browser, clock } = await operate({
      emailVerification: { sendOnSignUp: true, sendVerificationEmail: reject },
    })
    await browser().call('POST /sign-up/email', { body: ann })
    const failures = async () => (await recorded({ app }, new Set())).filter(({ action }) => action === 'mail.failed')
    await expect
      .poll(async () => {
        clock.advance(2 * 86_400)
        await outboxJobs.outbox.run(app, AbortSignal.timeout(60_000))
        return (await failures()).length
      })
      .toBe(1)
    expect(await failures()).toMatchObject([
      { outcome: 'failed', actorKind: 'system', targetType: 'mail', details: { kind: 'verification', code: 'Error' } },
    ])
  })
})
