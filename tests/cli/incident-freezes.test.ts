/** `latchkey incident`, while no daemon runs and while one does. */
import { describe, expect, test } from 'vitest'
import { latchkeyJSON } from './kit.ts'
import { options, places, serve } from './projects.ts'

const body = (name: string) => ({ email: `${name}@example.com`, name, password: 'a perfectly fine passphrase' })

describe.each(Object.entries(places))('on %s', (_, create) => {
  test('freezes without a daemon, for one that starts later, until it is lifted', async () => {
    const project = await create(options)
    const run = (...args: string[]) => latchkeyJSON(project.cwd, ['incident', ...args], project.env)
    expect((await run('status')).document).toEqual({ schema: 'incident-status/v1', frozen: [] })
    const { document } = await run('freeze', 'sign-up', '--reason', 'Bots', '--for', '2h')
    expect(document.frozen).toMatchObject([{ kind: 'sign-up', reason: 'Bots', expiresAt: expect.any(String) }])
    const { app, browser } = await serve(project, options)
    const { refreshFreezes } = await import('../../src/features/incidents/index.ts')
    await refreshFreezes(app)
    expect((await browser().call('POST /sign-up/email', { body: body('ann') })).body.code).toBe('SIGN_UP_FROZEN')
    expect((await run('unfreeze', 'all')).document.frozen).toEqual([])
    await refreshFreezes(app)
    expect((await browser().call('POST /sign-up/email', { body: body('ann') })).status).toBe(200)
  }, 60_000)

  test('revokes the sessions that match; --dry-run changes nothing, and without --yes it asks', async () => {
    const project = await create(options)
    const run = (...args: string[]) => latchkeyJSON(project.cwd, ['incident', 'revoke', ...args], project.env)
    const since = ['--since', '2020-01-01T00:00:00Z']
    // On SQLite, a command that writes creates the tables.
    expect((await run(...since, '--yes')).document).toMatchObject({ sessions: 0, users: 0, revoked: 0 })
    const { browser } = await serve(project, options)
    const ann = browser()
    await ann.call('POST /sign-up/email', { body: body('ann') })
    const isSignedIn = async () => (await ann.call('GET /get-session', {})).body !== null
    expect((await run(...since, '--dry-run')).document).toMatchObject({ sessions: 1, users: 1, revoked: 0 })
    expect(await run(...since)).toMatchObject({ exitCode: 4, document: { code: 'ANSWER_NEEDED' } })
    expect((await run(...since, '--method', 'passkey', '--yes')).document).toMatchObject({ sessions: 0, revoked: 0 })
    expect(await isSignedIn()).toBe(true)
    expect((await run(...since, '--method', 'password', '--yes')).document).toMatchObject({ sessions: 1, revoked: 1 })
    expect(await isSignedIn()).toBe(false)
  }, 60_000)

  test('requires a filter that is valid', async () => {
    const project = await create(options)
    for (const args of [[], ['--ip', '192.0.2.0/33'], ['--since', 'yesterday']]) {
      const { exitCode, document } = await latchkeyJSON(project.cwd, ['incident', 'revoke', ...args, '--yes'], project.env)
      expect([args, exitCode, document.code]).toEqual([args, 2, 'USAGE'])
    }
  }, 60_000)
})
