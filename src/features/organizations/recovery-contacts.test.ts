/** Whom a member who has lost their second factor can ask: administrators, if the policy of the organization shows them (contract 11 §12). */
import { expect, test } from 'vitest'
import { outcome, withAcme } from '../../../tests/kit/members.ts'
import { enrol, signInAs } from '../../../tests/kit/second-factor.ts'
import type { ConfigFile } from '../index.ts'
import { addMember } from './members.ts'

/** Ann owns Acme; Bob is a member with a second factor. */
async function withBob(config: ConfigFile = {}) {
  const kit = await withAcme({}, { admin: true, twoFactor: { required: [{ organizations: true }] }, ...config })
  const { ann, join, organizationId } = kit
  const bob = await join('Bob')
  await enrol(kit, bob.browser)
  const show = (showAdministrators: boolean, body: object = { required: false }) =>
    ann.browser.call('POST /organization/set-two-factor-policy', {
      body: { organizationId, showAdministrators, ...body } as never,
    })
  const readBy = async (name: string) => {
    const visitor = kit.browser()
    expect((await signInAs(visitor, name)).body.twoFactorRedirect).toBe(true)
    const read = (query: object) => visitor.call('GET /two-factor/challenge', { query })
    expect((await read({})).body).not.toHaveProperty('administrators')
    return (await read({ administrators: 'true' })).body.administrators
  }
  return { ...kit, bob, show, readBy }
}

test('are shown by name only, when the policy says so', async () => {
  const { show, readBy, join, app } = await withBob()
  expect(await readBy('Bob')).toEqual([])
  const { body } = await show(true)
  expect(body.organization).toMatchObject({ twoFactorRequired: false, twoFactorShowAdministrators: true })
  await join('Cleo', 'admin')
  await join('Dan')
  const shown = await readBy('Bob')
  expect(shown).toEqual([{ organization: 'Acme', names: ['Cleo', 'Ann'] }])
  // A banned administrator is not named.
  await app.db.updateTable('user').set({ banned: true }).where('email', '=', 'cleo@example.com').execute()
  expect(await readBy('Bob')).toEqual([{ organization: 'Acme', names: ['Ann'] }])
  await show(false)
  expect(await readBy('Bob')).toEqual([])
})

test('are none to a client without a pending challenge, and without the configuration', async () => {
  const kit = await withBob()
  await kit.show(true)
  const query = { administrators: 'true' } as const
  for (const visitor of [kit.browser(), kit.bob.browser, kit.ann.browser])
    expect(outcome(await visitor.call('GET /two-factor/challenge', { query }))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
  const without = await withBob({ twoFactor: true })
  await without.app.db.updateTable('organization').set({ twoFactorShowAdministrators: true }).execute()
  expect(await without.readBy('Bob')).toEqual([])
})

test('are those with a right to change the organization, also with several roles, and few of them', async () => {
  const { app, show, readBy, ann, bob, organizationId, other } = await withBob()
  await show(true)
  const role = (userId: string, role: string) => app.db.updateTable('member').set({ role }).where('userId', '=', userId).execute()
  await role(ann.userId, 'member,owner')
  expect(await readBy('Bob')).toEqual([{ organization: 'Acme', names: ['Ann'] }])
  await role(bob.userId, 'owner')
  await role(ann.userId, 'member')
  expect(await readBy('Bob')).toEqual([])
  await role(bob.userId, 'member')
  for (const name of ['Eve', 'Fay', 'Gil', 'Hal', 'Ian', 'Jo']) {
    const { userId } = await other(name)
    await addMember(app, { organizationId, userId, role: 'admin' })
  }
  const [acme] = await readBy('Bob')
  expect([acme.organization, acme.names.length]).toEqual(['Acme', 5])
})

test('are recorded with the policy, which keeps what a call leaves out', async () => {
  const { app, show, ann, organizationId } = await withBob()
  await show(true)
  await show(true)
  const body = { organizationId, required: false }
  const again = await ann.browser.call('POST /organization/set-two-factor-policy', { body })
  expect(again.body.organization.twoFactorShowAdministrators).toBe(true)
  const action = 'organization.two-factor-policy-changed'
  const events = await app.db.selectFrom('auditEvent').select('details').where('action', '=', action).execute()
  expect(events.map(({ details }) => details)).toMatchObject([{ required: false, showAdministrators: true }])
})
