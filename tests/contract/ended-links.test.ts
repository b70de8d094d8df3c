/**
 * Links, codes and passwords that are valid when a call reads them, and end before its first write: by a recovery of the account, by its
 * takeover, or with the user. The call must not do what they permitted.
 */
import type { Compilable } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createSetupLink } from '../../src/features/setup/setup-link.ts'
import { testApp } from '../kit/app.ts'
import type { Answer } from '../kit/browser.ts'
import { captureCodes, captureMails } from '../kit/mails.ts'
import { interruptNextWrite } from '../kit/revocation.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const phoneNumber = '+491701234567'

async function open() {
  const [resets, links, changes, deletions] = [captureMails(), captureMails(), captureMails(), captureMails()]
  const texts = captureCodes<{ readonly code?: string; readonly text: string }>()
  const kit = await testApp({
    ...{ admin: true, phoneNumber: true, oneTimeToken: true, username: true, bearer: true },
    sms: { send: (message) => texts.send(message) },
    emailAndPassword: { enabled: true, sendResetPassword: resets.send },
    emailVerification: { sendVerificationEmail: links.send, autoSignInAfterVerification: true },
    user: {
      changeEmail: { enabled: true, sendChangeEmailVerification: changes.send },
      deleteUser: { enabled: true, sendDeleteAccountVerification: deletions.send },
    },
  })
  const user = kit.browser()
  const userId = String((await user.call('POST /sign-up/email', { body: ann })).body.user?.id)
  const columns = { emailVerified: true, phoneNumber, phoneNumberVerified: true, username: 'ann', displayUsername: 'ann' }
  await kit.app.db.updateTable('user').set(columns).execute()
  await kit.app.db.updateTable('user').set({ verifiedPhoneNumber: phoneNumber }).execute()
  const sentCode = async () => /^\d+/.exec((await texts.next()).text)?.[0] ?? ''
  return { ...kit, user, userId, resets, links, changes, deletions, sentCode }
}
type Kit = Awaited<ReturnType<typeof open>>

interface Call {
  /** @returns the link, code or token */
  readonly prepare: (kit: Kit) => Promise<string>
  readonly run: (kit: Kit, secret: string) => Promise<Answer>
}

const byPassword: Call['prepare'] = async () => ann.password
const calls: Readonly<Record<string, Call>> = {
  'POST /reset-password': {
    prepare: async ({ browser, resets }) => {
      await browser().call('POST /request-password-reset', { body: { email: ann.email } })
      return (await resets.next()).token
    },
    run: ({ browser }, token) => browser().call('POST /reset-password', { body: { token, newPassword } }),
  },
  'POST /set-up': {
    prepare: async ({ app, userId }) => new URL(await createSetupLink(app, userId)).searchParams.get('token') ?? '',
    run: ({ browser }, token) => browser().call('POST /set-up', { body: { token, newPassword } }),
  },
  'POST /phone-number/reset-password': {
    prepare: async ({ browser, sentCode }) => {
      await browser().call('POST /phone-number/request-password-reset', { body: { phoneNumber } })
      return sentCode()
    },
    run: ({ browser }, otp) => browser().call('POST /phone-number/reset-password', { body: { phoneNumber, otp, newPassword } }),
  },
  'POST /phone-number/verify': {
    prepare: async ({ browser, sentCode }) => {
      await browser().call('POST /phone-number/send-otp', { body: { phoneNumber } })
      return sentCode()
    },
    run: ({ browser }, code) => browser().call('POST /phone-number/verify', { body: { phoneNumber, code } }),
  },
  'POST /verify-email (change of email address)': {
    prepare: async ({ user, changes }) => {
      await user.call('POST /change-email', { body: { newEmail: 'thief@example.com' } })
      return (await changes.next()).token
    },
    run: ({ user }, token) => user.call('POST /verify-email', { body: { token } }),
  },
  'GET /delete-user/callback': {
    prepare: async ({ user, deletions }) => {
      await user.call('POST /delete-user', { body: {} })
      return (await deletions.next()).token
    },
    run: ({ user }, token) => user.call('GET /delete-user/callback', { query: { token } }),
  },
  'POST /one-time-token/verify': {
    prepare: async ({ user }) => (await user.call('GET /one-time-token/generate', {})).body.token,
    run: ({ browser }, token) => browser().call('POST /one-time-token/verify', { body: { token } }),
  },
  'POST /sign-in/email': {
    prepare: byPassword,
    run: ({ browser }, password) => browser().call('POST /sign-in/email', { body: { email: ann.email, password } }),
  },
  'POST /sign-in/username': {
    prepare: byPassword,
    run: ({ browser }, password) => browser().call('POST /sign-in/username', { body: { username: 'ann', password } }),
  },
  'POST /sign-in/phone-number': {
    prepare: byPassword,
    run: ({ browser }, password) => browser().call('POST /sign-in/phone-number', { body: { phoneNumber, password } }),
  },
}

/** The rows that a new password by another link leaves behind. */
const recovery = ({ app, userId }: Kit) => [
  app.db.updateTable('user').set((eb) => ({ accessRevision: eb('accessRevision', '+', 1) })),
  app.db.updateTable('account').set({ password: 'of the owner' }),
  app.db.deleteFrom('session'),
  app.db.deleteFrom('verification').where('subject', 'like', `%:${userId}`),
  app.db.deleteFrom('oneTimeCode'),
]

const state = async ({ app }: Kit) => ({
  users: await app.db.selectFrom('user').select(['id', 'email']).execute(),
  passwords: (await app.db.selectFrom('account').select('password').execute()).map(({ password }) => password),
  sessions: await app.db.selectFrom('session').select('id').execute(),
})

type State = Awaited<ReturnType<typeof state>>

/** Runs a call that `statements` interrupt. In its transaction, they are undone with it. @param changed what they leave behind otherwise */
async function expectNothing({ prepare, run }: Call, interrupt: (kit: Kit) => readonly Compilable[], changed: Partial<State>) {
  const kit = await open()
  const secret = await prepare(kit)
  const before = await state(kit)
  interruptNextWrite(kit, interrupt(kit))
  const { status, body } = await run(kit, secret)
  // Without a user, a right code for their number finds nothing.
  expect(status >= 400 || body === null).toBe(true)
  expect([before, { ...before, ...changed }]).toContainEqual(await state(kit))
}

describe.each(Object.entries(calls))('%s', (_, call) => {
  test('does nothing after a recovery of the account', async () => {
    await expectNothing(call, recovery, { passwords: ['of the owner'], sessions: [] })
  })

  test('does nothing after the user was deleted', async () => {
    const deletion = ({ app }: Kit) => [app.db.deleteFrom('user')]
    await expectNothing(call, deletion, { users: [], passwords: [], sessions: [] })
  })
})

const signIns = Object.entries(calls).filter(([key]) => /sign-in|phone-number\/verify|one-time/.test(key))
test.each(signIns)('%s starts no session after a ban', async (_, call) => {
  const ban = ({ app: { db } }: Kit) => [
    db.updateTable('user').set((eb) => ({ banned: true, accessRevision: eb('accessRevision', '+', 1) })),
    db.deleteFrom('session'),
  ]
  await expectNothing(call, ban, { sessions: [] })
})

test('POST /verify-email/with-new-password does nothing after the email address was verified', async () => {
  const kit = await open()
  await kit.app.db.updateTable('user').set({ emailVerified: false }).execute()
  await kit.user.call('POST /send-verification-email', { body: { email: ann.email } })
  const { token } = await kit.links.next()
  const before = await state(kit)
  interruptNextWrite(kit, [kit.app.db.updateTable('user').set({ emailVerified: true })])
  const taken = await kit.browser().call('POST /verify-email/with-new-password', { body: { token, newPassword } })
  expect([taken.status, await state(kit)]).toEqual([401, before])
})
