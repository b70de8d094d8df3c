import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { latchkey, latchkeyJSON } from './kit.ts'
import { options, places, serve } from './projects.ts'

const ann = { email: 'ann@example.com', name: 'Ann', password: 'a perfectly fine passphrase' }

describe.each(Object.entries(places))('on %s', (_, create) => {
  test('terms status counts, terms list shows what a user accepted, and doctor reports a text that has changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'terms-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'privacy.md')
    await writeFile(file, '# Privacy')
    const given = { ...options, terms: { documents: [{ id: 'privacy', version: '1', file }] } }
    const project = await create(given)
    await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
    const { browser } = await serve(project, given)
    const owner = browser()
    await owner.call('POST /sign-up/email', { body: { ...ann, terms: { privacy: '1' } } as never })
    const run = (...args: string[]) => latchkeyJSON(project.cwd, args, project.env)
    expect((await run('terms', 'status')).document).toMatchObject({
      schema: 'terms-status/v1',
      users: 1,
      versions: [{ id: 'privacy', version: '1', state: 'in-force', accepted: 1, outstanding: 0 }],
    })
    const { stdout } = await latchkey(project.cwd, ['terms', 'status'], project.env)
    expect(stdout).toBe('privacy 1  in-force  1 accepted  0 postponed  0 outstanding')
    expect((await run('terms', 'list', ann.email)).document).toMatchObject({
      schema: 'terms-list/v1',
      email: ann.email,
      acceptances: [{ document: 'privacy', version: '1' }],
    })
    expect(await run('terms', 'list', 'unknown')).toMatchObject({ document: { code: 'USER_NOT_FOUND' } })
    const findings = async () => (await latchkey(project.cwd, ['doctor'], project.env)).stdout
    expect(await findings()).toContain('Every text is the one that users have accepted')
    await writeFile(file, '# Another text')
    expect(await findings()).toContain('The text of privacy 1 has changed since users accepted it')
  })
})

test('terms status says that terms are disabled', async () => {
  const project = await places.SQLite(options)
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  expect(await latchkeyJSON(project.cwd, ['terms', 'status'], project.env)).toMatchObject({
    exitCode: 1,
    document: { code: 'TERMS_DISABLED' },
  })
})
