/** Commands of an incident, with a configuration that needs more than the database has. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configFile, latchkey, latchkeyJSON } from './kit.ts'
import { migrated } from './migrated-project.ts'

const ahead = configFile(`{
  emailAndPassword: { enabled: true },
  user: { additionalFields: { nick: { type: 'string', defaultValue: 'none' } } },
  session: { additionalFields: { device: { type: 'string', required: false } } },
}`)
const password = { input: 'correct horse battery\n' }

test('commands of an incident go on with a warning when the configuration has fields that the database lacks', async () => {
  const { cwd, env } = await migrated()
  await latchkey(cwd, ['users', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--password-stdin'], env, password)
  writeFileSync(join(cwd, 'auth.config.ts'), ahead)
  const commands = [
    ['users', 'list'],
    ['users', 'show', 'ann@example.com'],
    ['users', 'set-password', 'ann@example.com', '--password-stdin'],
    ['users', 'create', '--email', 'bob@example.com', '--name', 'Bob', '--password-stdin'],
    ['sessions', 'list', '--user', 'ann@example.com'],
    ['sessions', 'revoke', '--all', '--confirm', 'all'],
    ['limits', 'clear', '--account', 'ann@example.com'],
    ['limits', 'explain', '--ip', '192.0.2.1'],
    ['users', 'delete', 'ann@example.com', '--confirm', 'ann@example.com'],
  ]
  for (const generated of [false, true]) {
    if (generated) await latchkey(cwd, ['migrate', 'generate'], env)
    for (const command of commands.slice(0, generated ? 3 : undefined)) {
      const words = generated ? command.map((word) => word.replace('ann@', 'bob@')) : command
      const { exitCode, stderr } = await latchkey(cwd, words, env, words.includes('--password-stdin') ? password : {})
      expect([words, exitCode, stderr]).toEqual([
        words,
        0,
        expect.stringContaining('! The configuration is ahead of the database by 2 changes'),
      ])
    }
  }
  expect(await latchkeyJSON(cwd, ['seed'], env)).toMatchObject({ exitCode: 1, document: { code: 'MIGRATIONS_PENDING' } })
}, 60_000)
