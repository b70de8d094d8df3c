/** Administrators lock accounts and open them (see docs/locked-accounts.md). */
import { describe, expect, test } from 'vitest'
import { seen, withAdmin } from '../../../tests/kit/administration.ts'
import { lockAccount } from './index.ts'

type Kit = Awaited<ReturnType<typeof withAdmin>>

const lock = async ({ ada, uma }: Kit, more: object = {}, userId = uma.userId) =>
  seen(await ada.browser.call('POST /admin/lock-user', { body: { userId, ...more } }))
const unlock = async ({ ada, uma }: Kit, more: object = {}, userId = uma.userId) =>
  seen(await ada.browser.call('POST /admin/unlock-user', { body: { userId, ...more } }))
const codeOf = async ({ signIn, uma }: Kit) => (await signIn(uma.email)).answer.body.code

describe('POST /admin/lock-user', () => {
  test('locks an account, says what ended, and shows the lock to administrators only', async () => {
    const kit = await withAdmin()
    const lockedAt = kit.clock.now().toISOString()
    expect(await lock(kit, { reason: ' Owner called ' })).toMatchObject([
      200,
      { lockedAt, reason: 'Owner called', opensByReset: false, ended: { sessions: 1 } },
    ])
    expect(await codeOf(kit)).toBe('ACCOUNT_LOCKED')
    const shown = await kit.ada.browser.call('GET /admin/get-user', { query: { id: kit.uma.userId } })
    expect(shown.body).toMatchObject({ lockedAt, lockReason: 'Owner called' })
    expect(Object.keys((await kit.ada.browser.call('GET /get-session', {})).body.user)).not.toContain('lockedAt')
    expect(JSON.stringify(shown.body)).not.toContain('lockEmail')
  })

  test('lets no password reset open the account, unless the administrator allows it', async () => {
    const kit = await withAdmin({}, { mail: { catch: true } })
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    expect(await lock(kit)).toMatchObject([200, { opensByReset: false }])
    await unlock(kit)
    expect(await lock(kit, { allowReset: true })).toMatchObject([200, { opensByReset: true }])
    expect(await lock(kit)).toMatchObject([200, { opensByReset: false }])
  })

  test('does not lock oneself, an unknown user, or a user whose roles permit more', async () => {
    const kit = await withAdmin({
      roles: { admin: { user: ['lock', 'ban'] }, support: { user: ['lock'] }, user: {} },
      adminRoles: ['admin'],
    })
    const sam = await kit.join('Sam', 'support')
    const bySam = async (userId: string) => seen(await sam.browser.call('POST /admin/lock-user', { body: { userId } }))
    expect(await lock(kit, {}, kit.ada.userId)).toMatchObject([400, { code: 'YOU_CANNOT_LOCK_YOURSELF' }])
    expect(await lock(kit, {}, 'unknown')).toMatchObject([404, { code: 'USER_NOT_FOUND' }])
    expect(await bySam(kit.ada.userId)).toMatchObject([403, { code: 'YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS' }])
    expect(await bySam(kit.uma.userId)).toMatchObject([200, { ended: { sessions: 1 } }])
  })

  test('rejects a reason that is too long', async () => {
    expect(await lock(await withAdmin(), { reason: 'x'.repeat(501) })).toMatchObject([400, { code: 'VALIDATION_ERROR' }])
  })
})

describe('POST /admin/unlock-user', () => {
  test('opens an account, and records who did both and why', async () => {
    const kit = await withAdmin()
    await lock(kit, { reason: 'Owner called' })
    kit.clock.advance(1)
    expect(await unlock(kit, { reason: 'Email address is right' })).toEqual([200, { status: true }])
    expect((await kit.userOf(kit.uma.userId))?.lockedAt).toBeNull()
    const common = { actorId: kit.ada.userId, targetId: kit.uma.userId }
    expect(await kit.events('user.locked', 'user.unlocked')).toMatchObject([
      { action: 'user.locked', ...common, details: { by: 'administrator', reason: 'Owner called', sessions: 1 } },
      { action: 'user.unlocked', ...common, details: { by: 'administrator', reason: 'Email address is right' } },
    ])
  })

  test('succeeds for an account that is not locked, and records nothing', async () => {
    const kit = await withAdmin()
    expect(await unlock(kit)).toEqual([200, { status: true }])
    expect(await kit.events('user.unlocked')).toEqual([])
    expect(await unlock(kit, {}, 'unknown')).toMatchObject([404, { code: 'USER_NOT_FOUND' }])
  })
})

test('a locked user is not impersonated', async () => {
  const kit = await withAdmin()
  await lockAccount(kit.app, null, { userId: kit.uma.userId })
  const started = await kit.ada.browser.call('POST /admin/impersonate-user', { body: { userId: kit.uma.userId } })
  expect(seen(started)).toMatchObject([403, { code: 'ACCOUNT_LOCKED' }])
})

test('the addresses of a locked account are notified, also that from before a change', async () => {
  const sent: { to: string; subject: string }[] = []
  const kit = await withAdmin({}, { mail: { from: 'Acme <a@acme.example>', send: (mail) => void sent.push(mail) } })
  const { app, uma } = kit
  await app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', uma.userId).execute()
  await kit.ada.browser.call('POST /admin/update-user', {
    body: { userId: uma.userId, data: { email: 'new@example.com', emailVerified: true } },
  })
  await kit.settled()
  await lock(kit)
  await kit.settled()
  const notified = sent.filter(({ subject }) => subject.endsWith('account is locked')).map(({ to }) => to)
  expect(notified.toSorted()).toEqual(['new@example.com', uma.email].toSorted())
})
