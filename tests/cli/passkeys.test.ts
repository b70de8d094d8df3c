import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../kit/authenticator.ts'
import { latchkey, latchkeyJSON } from './kit.ts'
import { options, places, serve } from './projects.ts'

const ann = { email: 'ann@example.com', name: 'Ann', password: 'a perfectly fine passphrase' }
const given = { ...options, passkey: true }

describe.each(Object.entries(places))('on %s', (_, create) => {
  test('users passkeys lists the passkeys of a user without their keys, and deletes one', async () => {
    const project = await create(given)
    await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
    const { app, browser } = await serve(project, given)
    const owner = browser()
    await owner.call('POST /sign-up/email', { body: ann })
    const { body } = await owner.call('GET /passkey/generate-register-options', { query: {} })
    const response = { ...createAuthenticator().create(body, { origin: new URL(app.config.baseURL ?? '').origin }) }
    const added = await owner.call('POST /passkey/verify-registration', { body: { response, name: 'Laptop' } })
    const run = (...args: string[]) => latchkeyJSON(project.cwd, ['users', 'passkeys', ...args], project.env)
    const listed = await run(ann.email)
    expect(listed.document).toMatchObject({
      schema: 'users-passkeys/v1',
      passkeys: [{ id: added.body.id, name: 'Laptop', provider: null, suspendedAt: null }],
    })
    expect(JSON.stringify(listed.document)).not.toContain(added.body.publicKey)
    const { stdout } = await latchkey(project.cwd, ['users', 'passkeys', ann.email], project.env)
    expect(stdout).toBe(`${added.body.id}  Laptop  -  synced  never used`)
    expect(await run(ann.email, '--delete', 'unknown')).toMatchObject({ exitCode: 1, document: { code: 'PASSKEY_NOT_FOUND' } })
    expect(await run(ann.email, '--delete', added.body.id)).toMatchObject({
      exitCode: 0,
      document: { schema: 'users-passkeys-delete/v1', id: added.body.id },
    })
    expect((await owner.call('GET /passkey/list-user-passkeys', {})).body).toEqual([])
  })
})

test('users passkeys says that passkeys are disabled', async () => {
  const project = await places.SQLite(options)
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  const run = await latchkeyJSON(project.cwd, ['users', 'passkeys', ann.email], project.env)
  expect(run).toMatchObject({ exitCode: 1, document: { code: 'PASSKEYS_DISABLED' } })
})
