import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { latchkey, latchkeyJSON } from './kit.ts'
import { places, serve } from './projects.ts'

const email = 'ann@example.com'

describe.each(Object.entries(places))('on %s', { timeout: 90_000 }, (_, create) => {
  test('exports what is stored about a user to a file that only its owner can read, then erases the user', async () => {
    const project = await create()
    const { cwd, env } = project
    await latchkey(cwd, ['users', 'create', '--email', email, '--name', 'Ann', '--password-stdin'], env, {
      input: 'a perfectly fine passphrase\n',
    })
    const exported = await latchkeyJSON(cwd, ['privacy', 'export', email, '--out', 'ann.json'], env)
    expect(exported.document).toMatchObject({ schema: 'privacy-export-file/v1', file: join(cwd, 'ann.json') })
    expect((await stat(join(cwd, 'ann.json'))).mode & 0o777).toBe(0o600)
    const written = JSON.parse(await readFile(join(cwd, 'ann.json'), 'utf8'))
    expect(written).toMatchObject({ schema: 'privacy-export/v1', user: { email, name: 'Ann' }, account: [{}] })
    const printed = await latchkey(cwd, ['privacy', 'export', email], env)
    expect(JSON.parse(printed.stdout).user).toEqual(written.user)

    const unconfirmed = await latchkey(cwd, ['privacy', 'erase', email, '--yes'], env)
    expect([unconfirmed.exitCode, unconfirmed.stderr]).toEqual([4, expect.stringContaining('--confirm')])
    const { browser } = await serve(project)
    const signIn = () => browser().call('POST /sign-in/email', { body: { email, password: 'a perfectly fine passphrase' } })
    expect((await signIn()).status).toBe(200)
    const erased = await latchkeyJSON(cwd, ['privacy', 'erase', email, '--confirm', email, '--reason', 'letter of 3 May'], env)
    expect(erased.document).toMatchObject({ schema: 'privacy-erase/v1', id: written.user.id })
    expect((await signIn()).status).toBe(401)
    const again = await latchkey(cwd, ['privacy', 'erase', email, '--confirm', email], env)
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('There is no user')])
  })
})
