import { describe, expect, onTestFinished, test } from 'vitest'
import { freshKeyspace } from '../kit/servers/index.ts'
import { latchkey, latchkeyJSON } from './kit.ts'
import { options, places, serve } from './projects.ts'

const password = 'a perfectly fine passphrase'
const body = (name: string) => ({ email: `${name}@example.com`, name, password })

/** Ann with two sessions and Bob with one. */
async function signedIn(create: (typeof places)['SQLite'], given = options) {
  const project = await create(given)
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  const { app, browser } = await serve(project, given)
  const [here, there, bobs] = [browser(), browser(), browser()]
  await here.call('POST /sign-up/email', { body: body('ann') })
  await there.call('POST /sign-in/email', { body: body('ann') })
  await bobs.call('POST /sign-up/email', { body: body('bob') })
  const state = async () =>
    Promise.all([here, there, bobs].map(async (each) => (await each.call('GET /get-session', {})).body !== null))
  const run = (...args: string[]) => latchkeyJSON(project.cwd, ['sessions', ...args], project.env)
  return { ...project, app, here, there, state, run }
}

describe.each(Object.entries(places))('on %s', (_, create) => {
  test('lists handles without tokens, and revokes one session by its handle', async () => {
    const { cwd, env, here, run, state } = await signedIn(create)
    const { stdout, exitCode } = await latchkey(cwd, ['sessions', 'list', '--user', 'ann@example.com', '--json'], env)
    const sessions = stdout.split('\n').map((line) => JSON.parse(line))
    expect([exitCode, sessions.length]).toEqual([0, 2])
    const { session } = (await here.call('GET /get-session', {})).body
    expect(Object.keys(sessions[0])).not.toContain('tokenHash')
    expect(stdout).not.toContain(session.token)
    expect(sessions.map(({ id }) => id)).toContain(session.id)
    const ended = await run('revoke', session.id)
    expect([ended.exitCode, ended.document]).toEqual([0, { schema: 'sessions-revoke/v1', revoked: 1 }])
    expect(await state()).toEqual([false, true, true])
    expect(await run('revoke', session.id)).toMatchObject({ exitCode: 1, document: { code: 'SESSION_NOT_FOUND' } })
  })

  test('--user revokes the sessions of one user', async () => {
    const { run, state } = await signedIn(create)
    expect((await run('revoke', '--user', 'ann@example.com')).document).toMatchObject({ revoked: 2 })
    expect(await state()).toEqual([false, false, true])
    expect(await run('revoke', '--user', 'eve@example.com')).toMatchObject({ exitCode: 1, document: { code: 'USER_NOT_FOUND' } })
  })

  test('--before revokes the sessions of sign-ins before a time, of all users or of one', async () => {
    const { app, run, state, there } = await signedIn(create)
    const { session } = (await there.call('GET /get-session', {})).body
    const early = { authenticatedAt: new Date(Date.now() - 3_600_000) }
    await app.db.updateTable('session').set(early).where('id', '!=', session.id).execute()
    const before = new Date(Date.now() - 1_800_000).toISOString()
    const own = await run('revoke', '--before', before, '--user', 'bob@example.com')
    expect(own.document).toMatchObject({ revoked: 1 })
    expect(await state()).toEqual([true, true, false])
    expect((await run('revoke', '--before', before)).document).toMatchObject({ revoked: 1 })
    expect(await state()).toEqual([false, true, false])
  })

  test('--all requires a confirmation, which --yes does not replace', async () => {
    const { run, state } = await signedIn(create)
    expect(await run('revoke', '--all', '--yes')).toMatchObject({ exitCode: 4, document: { code: 'ANSWER_NEEDED' } })
    expect(await run('revoke', '--all', '--confirm', 'ALL')).toMatchObject({ exitCode: 5, document: { code: 'NOT_CONFIRMED' } })
    expect(await state()).toEqual([true, true, true])
    expect((await run('revoke', '--all', '--confirm', 'all')).document).toMatchObject({ revoked: 3 })
    expect(await state()).toEqual([false, false, false])
  })
})

test('revokes many sessions in batches', async () => {
  const { app, here, run } = await signedIn(places['a server'])
  const { session } = (await here.call('GET /get-session', {})).body
  const row = await app.db.selectFrom('session').selectAll().where('id', '=', session.id).executeTakeFirstOrThrow()
  const more = Array.from({ length: 2345 }, () => ({ ...row, id: app.random.id(), tokenHash: app.random.token(32) }))
  for (let at = 0; at < more.length; at += 500)
    await app.db
      .insertInto('session')
      .values(more.slice(at, at + 500))
      .execute()
  expect((await run('revoke', '--all', '--confirm', 'all')).document).toMatchObject({ revoked: 2348 })
  expect(await app.db.selectFrom('session').select('id').execute()).toEqual([])
})

test('invalidates cached session cookies', async () => {
  const keyspace = await freshKeyspace()
  onTestFinished(() => keyspace.drop())
  const cached = {
    ...options,
    redis: keyspace.redis,
    session: { cookieCache: { enabled: true, maxAge: 300 } },
  }
  const { run, state } = await signedIn(places['a server'], cached)
  expect(await state()).toEqual([true, true, true])
  const ended = await run('revoke', '--user', 'ann@example.com')
  expect([ended.document.revoked, ended.stderr]).toEqual([2, expect.not.stringContaining('Redis')])
  expect(await state()).toEqual([false, false, true])
  await run('revoke', '--all', '--confirm', 'all')
  expect(await state()).toEqual([false, false, false])
})

test.each([
  [['list']],
  [['revoke']],
  [['revoke', 'a-handle', '--all']],
  [['revoke', '--all', '--user', 'ann@example.com']],
  [['revoke', 'a-handle', '--before', '2026-01-31T12:00:00Z']],
  [['revoke', '--before', 'yesterday']],
  [['revoke', '--before', '2026-01-31T12:00:00']],
])('sessions %j is a usage error', async (args) => {
  const { cwd, env } = await places.SQLite()
  const ended = await latchkeyJSON(cwd, ['sessions', ...args], env)
  expect(ended).toMatchObject({ exitCode: 2, document: { code: 'USAGE' } })
})
