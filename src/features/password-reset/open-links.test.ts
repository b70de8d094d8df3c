/** Which links that set a password end when something else changes the password or the email address (contract 01 §5.5). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { transaction } from '../../core/transaction.ts'
import type { ConfigFile } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { createSetupLink } from '../setup/setup-link.ts'
import { findUserById, updateUser } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newEmail = 'ceo@example.com'
const newPassword = 'another horse entirely'

/** Ann with two open reset links and a setup link; `changes` collects the confirmation links of a change of email. */
async function withOpenLinks(config: ConfigFile = {}) {
  const resets = captureMails()
  const changes = captureMails()
  const kit = await testApp({
    emailAndPassword: { enabled: true, sendResetPassword: resets.send },
    user: { changeEmail: { enabled: true, sendChangeEmailVerification: changes.send } },
    ...config,
  })
  const visitor = kit.browser()
  const { body } = await visitor.call('POST /sign-up/email', { body: ann })
  const userId = String(body.user?.id)
  const request = async (email = ann.email) => {
    await kit.browser().call('POST /request-password-reset', { body: { email } })
    return (await resets.next()).token
  }
  const links = [await request(), await request()]
  const setup = new URL(await createSetupLink(kit.app, userId)).searchParams.get('token') ?? ''
  const reset = (token: string) => kit.browser().call('POST /reset-password', { body: { token, newPassword } })
  const user = async () => (await findUserById(kit.app, userId)) ?? expect.fail('no user')
  const expectEnded = async (tokens = links) => {
    for (const token of tokens) {
      const used = await reset(token)
      expect([used.status, used.body.code]).toEqual([400, 'INVALID_TOKEN'])
    }
    const used = await kit.browser().call('POST /set-up', { body: { token: setup, newPassword } })
    expect([used.status, used.body.code]).toEqual([400, 'INVALID_TOKEN'])
  }
  return { ...kit, visitor, userId, user, links, setup, request, reset, changes, expectEnded }
}

describe('every open reset link and setup link of a user ends', () => {
  test.each([true, false])('when they change their password (revokeOtherSessions: %s)', async (revokeOtherSessions) => {
    const { visitor, expectEnded } = await withOpenLinks()
    const change = { currentPassword: ann.password, newPassword, revokeOtherSessions }
    expect((await visitor.call('POST /change-password', { body: change })).status).toBe(200)
    await expectEnded()
  })

  test('when another reset link is used', async () => {
    const { links, reset, expectEnded } = await withOpenLinks()
    expect((await reset(links[1] ?? '')).status).toBe(200)
    await expectEnded()
  })

  test('when a setup link is used', async () => {
    const { browser, setup, expectEnded } = await withOpenLinks()
    expect((await browser().call('POST /set-up', { body: { token: setup, newPassword } })).status).toBe(200)
    await expectEnded()
  })

  test('when an operator sets the password', async () => {
    const { app, user, expectEnded } = await withOpenLinks()
    await setPasswordForUser(app, await user(), newPassword)
    await expectEnded()
  })

  test('when they replace an unverified email address', async () => {
    const { visitor, expectEnded } = await withOpenLinks()
    expect((await visitor.call('POST /change-email', { body: { newEmail } })).status).toBe(200)
    await expectEnded()
  })

  test('when they confirm a new email address, and not before', async () => {
    const { app, visitor, links, browser, changes, expectEnded } = await withOpenLinks()
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    await visitor.call('POST /change-email', { body: { newEmail } })
    const { token } = await changes.next()
    const open = { params: { token: links[0] ?? '' }, query: { callbackURL: '/r' } }
    expect((await browser().call('GET /reset-password/:token', open)).headers.get('location')).toContain('token=')
    expect((await visitor.call('GET /verify-email', { query: { token } })).status).toBe(200)
    await expectEnded()
  })

  test('when a hook changes their email address', async () => {
    const before = async () => ({ data: { email: newEmail } })
    const { visitor, user, expectEnded } = await withOpenLinks({ databaseHooks: { user: { update: { before } } } })
    expect((await visitor.call('POST /update-user', { body: { name: 'Anna' } })).status).toBe(200)
    expect((await user()).email).toBe(newEmail)
    await expectEnded()
  })
})

test('a password change by an older session ends no link that was sent since: a thief cannot block recovery', async () => {
  const { visitor, clock, request, reset, browser } = await withOpenLinks()
  clock.advance(1)
  const sent = await request()
  for (const [currentPassword, next] of [[ann.password, newPassword] as const, [newPassword, ann.password] as const]) {
    const change = { currentPassword, newPassword: next, revokeOtherSessions: true }
    expect((await visitor.call('POST /change-password', { body: change })).status).toBe(200)
  }
  const open = { params: { token: sent }, query: { callbackURL: '/r' } }
  expect((await browser().call('GET /reset-password/:token', open)).headers.get('location')).toContain('token=')
  expect((await reset(sent)).status).toBe(200)
})

test('a reset link that was written while the email address changed does not work', async () => {
  const { app, userId, links, reset } = await withOpenLinks()
  // What a request leaves behind that read the user before the change and wrote its link after it.
  await transaction(app, async (tx) => {
    const rows = await tx.db.selectFrom('verification').selectAll().execute()
    await updateUser(tx, userId, { email: newEmail, updatedAt: tx.now() })
    for (const row of rows) await tx.db.insertInto('verification').values(row).execute()
  })
  const used = await reset(links[0] ?? '')
  expect([used.status, used.body.code]).toEqual([400, 'INVALID_TOKEN'])
})

test('a thief who kept a reset link cannot take over the account that its owner recovered', async () => {
  const { browser, visitor, links, request, reset } = await withOpenLinks()
  await visitor.call('POST /change-email', { body: { newEmail } })
  // The owner of the address that the thief gave.
  expect((await reset(await request(newEmail))).status).toBe(200)
  expect((await reset(links[0] ?? '')).body.code).toBe('INVALID_TOKEN')
  const signIn = (password: string) => browser().call('POST /sign-in/email', { body: { email: newEmail, password } })
  expect((await signIn(newPassword)).status).toBe(200)
  expect((await signIn(ann.password)).status).toBe(401)
})

test('links of other users stay valid', async () => {
  const { browser, request, reset, visitor } = await withOpenLinks()
  await browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
  const bobs = await request('bob@example.com')
  await visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } })
  expect((await reset(bobs)).status).toBe(200)
})
