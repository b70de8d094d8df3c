/** `latchkey audit list` and `latchkey audit verify`. */
import { createConnection } from 'mysql2/promise'
import { describe, expect, onTestFinished, test } from 'vitest'
import { extend } from '../../src/core/app.ts'
import { latchkey } from './kit.ts'
import { places, serve } from './projects.ts'

const given = { emailAndPassword: { enabled: true }, rateLimit: { enabled: false }, admin: true } as const
const password = 'a perfectly fine passphrase'

const all = ['GET /list-sessions', 'GET /admin/social-providers', 'GET /admin/audit-status', 'GET /admin/list-events']

/** Ann, and three rejected calls of hers and one of an anonymous client. */
async function withEvents(create: (typeof places)['SQLite']) {
  const project = await create(given)
  // Creates the tables of the embedded database.
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  const { app, browser } = await serve(project, given)
  const { recordEvent } = await import('../../src/features/audit/index.ts')
  const ann = browser()
  const name = 'Ann \u001b[31m'
  const { id } = (await ann.call('POST /sign-up/email', { body: { name, email: 'ann@example.com', password } })).body.user
  const from = { ipAddress: '192.0.2.1', requestId: 'anonymous' }
  for (const [second, route] of all.toReversed().entries()) {
    const user = {
      ...from,
      kind: 'user',
      userId: id,
      credential: { kind: 'cookie', id: 's' },
      requestId: `request-${second}`,
    } as const
    const actor = second === 3 ? ({ ...from, kind: 'anonymous' } as const) : user
    const then = extend(app, { now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, second)) })
    await recordEvent(then, { action: 'access.denied', outcome: 'denied', actor, details: { route } })
  }
  const run = (...args: string[]) => latchkey(project.cwd, ['audit', ...args], project.env)
  const list = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await run('list', '--action', 'access.denied', '--json', ...args)
    expect(exitCode, stderr).toBe(0)
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
  return { ...project, app, id, run, list }
}

const routesOf = (events: readonly { readonly details: { readonly route: string } }[]) =>
  events.map(({ details }) => details.route)

describe.each(Object.entries(places))('on %s', (_, create) => {
  test('audit list prints events newest first, one document per line, with filters and pages', async () => {
    const { list, run, id } = await withEvents(create)
    const events = await list()
    expect(events[0].schema).toBe('audit-list/v1')
    expect(routesOf(events)).toEqual(all)
    expect(events[1]).toMatchObject({ actor: { id, email: 'ann@example.com' }, outcome: 'denied' })
    expect(routesOf(await list('--actor', 'ann@example.com'))).toEqual(all.slice(1))
    expect(routesOf(await list('--user', id, '--limit', '1'))).toEqual(all.slice(1, 2))
    expect(routesOf(await list('--after', events[1].id))).toEqual(all.slice(2))
    expect(routesOf(await list('--request', events[2].requestId))).toEqual(all.slice(2, 3))
    expect(routesOf(await list('--since', events[2].createdAt, '--until', events[0].createdAt))).toEqual(all.slice(1, 3))
    expect(await list('--outcome', 'failed')).toEqual([])
    const typo = await run('list', '--action', 'acces.denied')
    expect([typo.exitCode, typo.stderr]).toEqual([0, expect.stringContaining('records no action acces.denied')])
    expect(await list('--ip', '192.0.2.200')).toEqual([])
    const text = await run('list', '--user', 'ann@example.com')
    expect(text.stdout).not.toContain('\u001b')
    expect(text.stdout).toContain('access.denied  ann@example.com')
    expect(await run('list', '--user', 'eve@example.com')).toMatchObject({ exitCode: 1 })
    expect(await run('list', '--after', 'unknown')).toMatchObject({ exitCode: 1 })
    expect(await run('list', '--outcome', 'lost')).toMatchObject({ exitCode: 2 })
  })

  test('audit verify reports an intact log with 0, and a changed event with 1', async () => {
    const { run, app } = await withEvents(create)
    const intact = await run('verify', '--json')
    expect([intact.exitCode, JSON.parse(intact.stdout)]).toMatchObject([
      0,
      { schema: 'audit-verify/v1', state: 'intact', problemCount: 0 },
    ])
    const { sequence, hash } = await app.db
      .selectFrom('auditState')
      .selectAll()
      .where('id', '=', 'head')
      .executeTakeFirstOrThrow()
    expect(await run('verify', '--head', `${sequence}:${hash}`)).toMatchObject({ exitCode: 0 })
    expect(await run('verify', '--head', `${sequence}:other`)).toMatchObject({ exitCode: 1 })
    await app.db.updateTable('auditEvent').set({ outcome: 'succeeded' }).where('sequence', '=', 2).execute()
    const broken = await run('verify')
    expect(broken.exitCode).toBe(1)
    expect(broken.stdout).toMatch(/^2 {2}changed/)
    const [problem, result] = (await run('verify', '--json')).stdout.split('\n').map((line) => JSON.parse(line))
    expect(problem).toMatchObject({ schema: 'audit-problem/v1', kind: 'changed', sequence: 2 })
    expect(result).toMatchObject({ schema: 'audit-verify/v1', state: 'broken', problemCount: 1 })
    expect(await run('verify', '--after', '2')).toMatchObject({ exitCode: 0 })
    expect(await run('verify', '--after', '3', '--head', '2:x')).toMatchObject({ exitCode: 2 })
  })
})

test('audit verify sums up many problems of one kind', async () => {
  const { run, app } = await withEvents(places.SQLite)
  const { recordEvent } = await import('../../src/features/audit/index.ts')
  for (let count = 0; count < 30; count += 1) await recordEvent(app, { action: 'access.denied', details: { route: 'x' } })
  expect(await run('verify')).toMatchObject({ exitCode: 0 })
  await app.db
    .updateTable('auditEvent')
    .set({ outcome: 'failed' })
    .where('sequence', '>', 3)
    .where('sequence', '<=', 28)
    .execute()
  const broken = await run('verify')
  expect([broken.exitCode, broken.stdout.trim().split('\n').length]).toEqual([1, 10])
  expect(broken.stderr).toContain('changed: 25 problems, of which the first 10 are shown')
})

test('audit verify verifies what has a number, and says what has none, while another connection locks the table', async () => {
  const { run, app, env } = await withEvents((configured = {}) =>
    places['a server']({ ...given, ...configured, database: { queryTimeout: 2000 } }),
  )
  expect(await run('verify')).toMatchObject({ exitCode: 0 })
  const { recordEvent } = await import('../../src/features/audit/index.ts')
  await recordEvent(app, { action: 'access.denied', details: { route: 'x' } })
  const other = await createConnection(env.DATABASE_URL ?? '')
  onTestFinished(() => other.destroy())
  // Rows, because a command that records its own event must not wait.
  await other.query('set session transaction isolation level read committed')
  await other.query('start transaction')
  await other.query('select * from auditEvent where sequence is null for update')
  const verified = await run('verify', '--json')
  expect([verified.exitCode, verified.stderr]).toEqual([0, expect.stringContaining('without a number yet')])
  const result = JSON.parse(verified.stdout.trim().split('\n').at(-1) ?? '')
  expect(result).toMatchObject({ state: 'intact', problemCount: 0 })
  expect(result.unnumbered).toBeGreaterThan(0)
}, 60_000)

test('audit list --follow prints the last events, then each new one exactly once', async () => {
  const { app } = await withEvents(places.SQLite)
  const { followEvents } = await import('../../src/features/audit-log/index.ts')
  const { recordEvent } = await import('../../src/features/audit/index.ts')
  const { chainEvents } = await import('../../src/features/audit/chain.ts')
  const stopping = new AbortController()
  const found: unknown[] = []
  const followed = (async () => {
    for await (const { details } of followEvents(app, { action: ['access.denied'] }, { last: 2, signal: stopping.signal })) {
      found.push(details.route)
      if (found.length === 2) {
        await chainEvents(app)
        await recordEvent(app, { action: 'access.denied', details: { route: 'new' } })
        await chainEvents(app)
      }
      if (found.length === 3) stopping.abort()
    }
  })()
  await followed
  expect(found).toEqual([...all.slice(0, 2).reverse(), 'new'])
})
