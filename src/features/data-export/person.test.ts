import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import { mergeTables } from '../../core/table.ts'
import { flushDenials } from '../audit/index.ts'
import { eraseUser, exportPerson } from './person.ts'

const ann = { name: 'Ann Liddell', email: 'ann@example.com', password: 'correct horse battery' }
const eve = { name: 'Eve Moneypenny', email: 'eve@example.com', password: 'correct horse battery' }

/** Two users with traces in as many tables as calls can leave. */
async function twoUsers() {
  const kit = await testApp({
    admin: true,
    organization: true,
    attempts: { enabled: true },
    mailLimit: { enabled: true },
    mail: { from: 'a@example.com', send: () => Promise.reject(new Error('the mail server is away')) },
    emailVerification: { sendOnSignUp: true },
  })
  const [annBrowser, eveBrowser] = [kit.browser(), kit.browser()]
  await annBrowser.call('POST /sign-up/email', { body: ann })
  await eveBrowser.call('POST /sign-up/email', { body: eve })
  await kit.browser().call('POST /sign-in/email', { body: { ...ann, password: 'a wrong password' } })
  await annBrowser.call('POST /request-password-reset', { body: { email: ann.email, redirectTo: '/reset' } })
  const { body } = await eveBrowser.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const invitation = { email: ann.email, role: 'member' as const, organizationId: body.id }
  expect(await eveBrowser.call('POST /organization/invite-member', { body: invitation })).toMatchObject({ status: 200 })
  await annBrowser.call('POST /organization/create', { body: { name: 'Wonderland', slug: 'wonderland' } })
  await flushDenials(kit.app)
  const user = await kit.app.db.selectFrom('user').selectAll().where('email', '=', ann.email).executeTakeFirstOrThrow()
  const address = { ipAddress: '192.0.2.77' }
  await kit.app.db.updateTable('auditEvent').set(address).where('actorId', '=', user.id).execute()
  return { ...kit, annBrowser, user }
}

async function dump(app: App): Promise<Readonly<Record<string, string>>> {
  const tables = Object.keys(mergeTables(app.features))
  const rows = await Promise.all(
    tables.map(
      async (table) =>
        [
          table,
          JSON.stringify(
            await app.db
              .selectFrom(table as 'user')
              .selectAll()
              .execute(),
          ),
        ] as const,
    ),
  )
  return Object.fromEntries(rows)
}

describe('the erasure of a user', () => {
  test('leaves no row with their name, email address or IP address, and rows of others as they were', async () => {
    const { app, browser, user } = await twoUsers()
    const before = await dump(app)
    expect(Object.values(before).join()).toContain(ann.email)
    expect(await eraseUser(app, user, { reason: 'requested by letter' })).toBe(true)
    const after = await dump(app)
    const tablesWith = (text: string) => Object.keys(after).filter((table) => after[table]?.includes(text))
    for (const trace of [ann.email, 'Liddell', '192.0.2.77']) expect([trace, tablesWith(trace)]).toEqual([trace, []])
    for (const kept of [eve.email, 'Moneypenny', 'acme']) expect([kept, tablesWith(kept)]).not.toEqual([kept, []])
    expect((await browser().call('POST /sign-in/email', { body: ann })).status).toBe(401)
    expect((await browser().call('POST /sign-in/email', { body: eve })).status).toBe(200)
  })

  test('keeps their events, which name them by ID only, and is recorded with its reason', async () => {
    const { app, user } = await twoUsers()
    const events = () => app.db.selectFrom('auditEvent').selectAll().where('userId', '=', user.id).execute()
    const before = await events()
    await eraseUser(app, user, { reason: 'requested by letter' })
    const after = await events()
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
    expect(after.find(({ action }) => action === 'user.erased')).toMatchObject({ details: { reason: 'requested by letter' } })
  })

  test('of two at the same time, one finds the user', async () => {
    const { app, user } = await twoUsers()
    const results = await Promise.all([eraseUser(app, user), eraseUser(app, user)])
    expect(results.sort()).toEqual([false, true])
  })
})

test('an export of a user has what each table stores about them, without credentials', async () => {
  const { app, user } = await twoUsers()
  let text = ''
  for await (const part of exportPerson(app, user)) text += part
  const document = JSON.parse(text)
  expect(document).toMatchObject({
    schema: 'privacy-export/v1',
    user: { email: ann.email, role: 'user' },
    session: [{ userId: user.id }],
    account: [{ providerId: 'credential' }],
    member: [{ userId: user.id }],
    invitations: [{ email: ann.email, status: 'pending' }],
  })
  expect(document.mails.length).toBeGreaterThan(0)
  const secrets = await app.db
    .selectFrom('session')
    .innerJoin('account', 'account.userId', 'session.userId')
    .selectAll()
    .execute()
  for (const { tokenHash, password } of secrets) {
    expect(text).not.toContain(tokenHash)
    expect(text).not.toContain(password)
  }
})

describe('administrators', () => {
  const roles = {
    admin: { user: ['list', 'export', 'erase', 'ban'] },
    support: { user: ['export', 'erase'] },
    user: {},
  }

  test('neither export nor erase a user whose roles permit more than their own', async () => {
    const { app, ada, uma, join, userOf } = await withAdmin({ roles })
    const sue = await join('Sue', 'support')
    const exported = (userId: string) => sue.browser.call('GET /admin/export-user', { query: { userId } })
    const erased = (userId: string) => sue.browser.call('POST /admin/erase-user', { body: { userId } })
    expect(await exported(ada.userId)).toMatchObject({ status: 403, body: { code: 'YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS' } })
    expect(await erased(ada.userId)).toMatchObject({ status: 403, body: { code: 'YOU_ARE_NOT_ALLOWED_TO_ERASE_USERS' } })
    expect(await userOf(ada.userId)).toBeDefined()
    expect(await exported(uma.userId)).toMatchObject({ status: 200, body: { user: { id: uma.userId } } })
    expect(await erased(uma.userId)).toMatchObject({ status: 200, body: { success: true } })
    for (const call of [exported, erased])
      expect(await call('unknown')).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
    const rows = await app.db.selectFrom('auditEvent').select(['action', 'targetId']).where('actorId', '=', sue.userId).execute()
    expect(rows.filter(({ action }) => ['user.exported', 'user.erased'].includes(action))).toHaveLength(2)
  })
})
