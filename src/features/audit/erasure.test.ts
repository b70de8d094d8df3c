// Also on servers: rows are changed in slices.
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { eraseUser } from '../data-export/index.ts'
import { eraseAddresses, erasures, readErasures } from './erasure.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** Ann, who caused more events than one slice has. */
async function withManyEvents(count: number) {
  const kit = await testApp({ audit: { log: false } })
  const { app } = kit
  await kit.browser().call('POST /sign-up/email', { body: ann })
  const user = await app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
  const [event] = await app.db.selectFrom('auditEvent').selectAll().where('actorId', '=', user.id).limit(1).execute()
  const first = { ...(event ?? (await app.db.selectFrom('auditEvent').selectAll().executeTakeFirstOrThrow())) }
  const rows = Array.from({ length: count }, (_, number) => ({
    ...first,
    id: `event${number}`,
    actorKind: 'user',
    actorId: user.id,
    ipAddress: '192.0.2.77',
    details: JSON.stringify(first.details),
    sequence: null,
    hash: null,
  }))
  for (let at = 0; at < count; at += 500)
    await app.db
      .insertInto('auditEvent')
      .values(rows.slice(at, at + 500))
      .execute()
  const addresses = async () => {
    const found = await app.db.selectFrom('auditEvent').select('id').where('ipAddress', '=', '192.0.2.77').execute()
    return found.length
  }
  const pending = () => app.db.selectFrom('erasure').select('id').execute()
  return { ...kit, user, addresses, pending }
}

test('a user with many events is deleted immediately, and the rest of their addresses is erased later', async () => {
  const { app, browser, user, addresses, pending } = await withManyEvents(3500)
  const deferred: unknown[] = []
  const interrupted = Object.assign(Object.create(app), { defer: (work: unknown) => deferred.push(work) })
  expect(await eraseUser(interrupted, user)).toBe(true)
  expect(await addresses()).toBe(2500)
  expect(await pending()).toEqual([{ id: user.id }])
  expect((await browser().call('POST /sign-in/email', { body: ann })).status).toBe(401)
  // The process died before the work after the response; another one runs the job.
  await erasures.run(app, new AbortController().signal)
  expect(await addresses()).toBe(0)
  expect(await pending()).toEqual([])
})

test('an erasure that is interrupted between two slices goes on from its mark', async () => {
  const { app, user, addresses, pending } = await withManyEvents(3500)
  await app.db.insertInto('erasure').values({ id: user.id, createdAt: app.now() }).execute()
  const stopped = new AbortController()
  stopped.abort()
  await erasures.run(app, stopped.signal)
  expect([await addresses(), (await pending()).length]).toEqual([3500, 1])
  await erasures.run(app, new AbortController().signal)
  expect([await addresses(), (await pending()).length]).toEqual([0, 0])
})

test('reports how many events are erased, and how many are left', async () => {
  const { app, user } = await withManyEvents(3500)
  await app.db.insertInto('erasure').values({ id: user.id, createdAt: app.now() }).execute()
  expect(await readErasures(app)).toEqual({ users: 1, events: expect.any(Number) })
  expect((await readErasures(app)).events).toBeGreaterThanOrEqual(3500)
  const done: number[] = []
  const erased = await eraseAddresses(app, user.id, undefined, (count) => done.push(count))
  expect([done.slice(0, 3), done.at(-1)]).toEqual([[1000, 2000, 3000], erased])
  expect(await readErasures(app)).toEqual({ users: 0, events: 0 })
})

test('a user with few events is erased in one transaction', async () => {
  const { app, user, addresses, pending } = await withManyEvents(10)
  await eraseUser(app, user)
  expect([await addresses(), await pending()]).toEqual([0, []])
})
