import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'
import { migrated, opened, project } from './migrated-project.ts'
import { onTerminal } from './terminal.ts'

const withLimits = configFile(`{ emailAndPassword: { enabled: true }, rateLimit: { storage: 'database' } }`)

describe('migrate generate', () => {
  test('writes the needed migration once, without a database', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const env = { ...complete, DATABASE_URL: 'mysql://app@127.0.0.1:1/none' }
    const { exitCode, document } = await latchkeyJSON(cwd, ['migrate', 'generate'], env)
    expect(exitCode).toBe(0)
    expect(document).toMatchObject({ schema: 'migrate-generate/v1', written: { name: '0001_initial' } })
    expect(document.changes).toContainEqual({ name: 'create-table:user', class: 'safe' })
    expect(readdirSync(join(cwd, 'migrations')).sort()).toEqual(['0001_initial.sql', 'snapshot.json'])
    expect(await latchkey(cwd, ['migrate', 'generate'], env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Nothing to do'),
    })
  })
  test('works in a fresh clone, where no variable of the configuration is set', async () => {
    const cwd = folder({
      'auth.config.ts': configFile(`{
  secret: process.env.MY_SECRET,
  baseURL: process.env.MY_URL,
  database: { url: process.env.MY_DATABASE },
  emailAndPassword: { enabled: true },
  username: true,
}`),
    })
    const { exitCode, stdout, stderr } = await latchkey(cwd, ['migrate', 'generate'])
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Wrote migrations/0001_initial.sql')])
    expect(stderr).toContain('No database is configured here: the files are for MySQL and MariaDB')
    expect(readFileSync(join(cwd, 'migrations/0001_initial.sql'), 'utf8')).toContain('`username`')
    expect(await latchkey(cwd, ['migrate', 'generate', '--check'], complete)).toMatchObject({ exitCode: 0 })
  })
  test('with --check exits with 3 while a change has no migration, and writes nothing', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const { exitCode, document } = await latchkeyJSON(cwd, ['migrate', 'generate', '--check'])
    expect([exitCode, document]).toEqual([3, expect.objectContaining({ dryRun: true, written: null })])
    expect(readdirSync(cwd)).toEqual(['auth.config.ts'])
    await latchkey(cwd, ['migrate', 'generate'])
    expect(await latchkeyJSON(cwd, ['migrate', 'generate', '--check'])).toMatchObject({ exitCode: 0, document: { changes: [] } })
  })
  test('names the snapshots of an earlier version that can be deleted, and deletes none', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    await latchkey(cwd, ['migrate', 'generate'], complete)
    const snapshot = join(cwd, 'migrations/snapshot.json')
    const { tables } = JSON.parse(readFileSync(snapshot, 'utf8'))
    writeFileSync(join(cwd, 'migrations/0001_initial.json'), `${JSON.stringify({ format: 1, tables }, null, 2)}\n`)
    rmSync(snapshot)
    writeFileSync(join(cwd, 'auth.config.ts'), withLimits)
    const { stderr } = await latchkey(cwd, ['migrate', 'generate', '--name', 'limits'], complete)
    expect(stderr).toContain('You can delete migrations/0001_initial.json: snapshot.json has the content')
    expect(readdirSync(join(cwd, 'migrations')).sort()).toEqual([
      '0001_initial.json',
      '0001_initial.sql',
      '0002_limits.sql',
      'snapshot.json',
    ])
  })
  test('does not advise to apply files that the configured SQLite database does not use', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const { stderr, exitCode } = await latchkey(cwd, ['migrate', 'generate'], complete)
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('The configured SQLite database needs none')])
    expect(stderr).not.toContain('migrate up')
  })
  test('shows the plan and writes nothing with --dry-run', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const { stdout } = await latchkey(cwd, ['migrate', 'generate', '--dry-run', '--sql'], complete)
    expect(stdout).toMatch(/^\+ create-table:user +safe$/m)
    expect(stdout).toContain('create table `user`')
    expect(readdirSync(cwd)).not.toContain('migrations')
  })
  test('exits with 5 until each loss of data is acknowledged', async () => {
    const cwd = folder({ 'auth.config.ts': withLimits })
    await latchkey(cwd, ['migrate', 'generate'], complete)
    writeFileSync(join(cwd, 'auth.config.ts'), configFile())
    for (const args of [[], ['--yes']]) {
      const { exitCode, document } = await latchkeyJSON(cwd, ['migrate', 'generate', ...args], complete)
      expect(exitCode).toBe(5)
      expect(document).toMatchObject({
        code: 'ACKNOWLEDGEMENT_NEEDED',
        hint: expect.stringContaining('--acknowledge drop-table:rateLimit'),
      })
    }
    const { exitCode, stdout } = await latchkey(cwd, ['migrate', 'generate', '--acknowledge', 'drop-table:rateLimit'], complete)
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^- drop-table:rateLimit +destructive$/m)])
  })
})

describe('migrate up, status and down', () => {
  test('apply, report and roll back', async () => {
    const { cwd, env } = await project()
    const status = async () => await latchkeyJSON(cwd, ['migrate', 'status', '--exit-code'], env)
    expect(await status()).toMatchObject({
      exitCode: 3,
      document: { clean: false, ungenerated: expect.arrayContaining([{ name: 'create-table:user', class: 'safe' }]) },
    })
    await latchkey(cwd, ['migrate', 'generate'], env)
    expect(await status()).toMatchObject({ exitCode: 3, document: { pending: ['0001_initial'] } })
    expect((await latchkeyJSON(cwd, ['migrate', 'up', '--dry-run'], env)).document).toMatchObject({
      dryRun: true,
      applied: [{ name: '0001_initial' }],
    })
    expect((await latchkeyJSON(cwd, ['migrate', 'up', '--yes'], env)).document).toMatchObject({
      schema: 'migrate-up/v1',
      applied: [{ name: '0001_initial', resumed: false }],
    })
    expect((await latchkeyJSON(cwd, ['migrate', 'up', '--yes'], env)).document).toMatchObject({ applied: [] })
    expect(await status()).toMatchObject({ exitCode: 0, document: { clean: true, applied: 1 } })
    expect(await latchkeyJSON(cwd, ['migrate', 'down', '--confirm', '0001_initial'], env)).toMatchObject({
      exitCode: 0,
      document: { applied: [{ direction: 'down' }] },
    })
    expect((await status()).document).toMatchObject({ pending: ['0001_initial'], applied: 0 })
  })
  test('status exits with 0 without --exit-code, and names the command to run', async () => {
    const { cwd, env } = await project()
    expect(await latchkey(cwd, ['migrate', 'status'], env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('latchkey migrate generate'),
    })
  })
  test('status reports an edited file and a drifted table', async () => {
    const made = await migrated()
    const file = join(made.cwd, 'migrations/0001_initial.sql')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n-- edited\n`)
    await sql`alter table \`user\` drop column image`.execute(opened(made).db)
    const { exitCode, document } = await latchkeyJSON(made.cwd, ['migrate', 'status', '--exit-code'], made.env)
    expect(exitCode).toBe(3)
    expect(document).toMatchObject({ edited: ['0001_initial'], drift: [{ path: 'user.image', kind: 'column' }] })
  })
  test('migrate up rejects an embedded database, which has no migration files', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    expect(await latchkey(cwd, ['migrate', 'up', '--yes'], complete)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('SQLite has no migration files'),
    })
  })
})

test('status lists the migrations: when, by whom and for how long each was applied', async () => {
  const { cwd, env } = await migrated()
  writeFileSync(join(cwd, 'auth.config.ts'), withLimits)
  await latchkey(cwd, ['migrate', 'generate', '--name', 'limits'], env)
  const { stdout } = await latchkey(cwd, ['migrate', 'status'], env)
  expect(stdout).toMatch(/^Migration +Applied \(UTC\) +Duration +By$/m)
  expect(stdout).toMatch(/^0001_initial +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\d+\.\d s +\S+@\S+$/m)
  expect(stdout).toMatch(/^0002_limits +pending$/m)
  expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({
    applied: 1,
    migrations: [{ number: 1, name: '0001_initial', appliedAt: expect.any(String), duration: expect.any(Number) }],
    pending: ['0002_limits'],
  })
})

describe('migrate down', () => {
  test('requires the name of the migration: exit code 4 without a terminal, 5 for another name', async () => {
    const { cwd, env } = await migrated()
    for (const args of [[], ['--yes']]) {
      const { exitCode, document } = await latchkeyJSON(cwd, ['migrate', 'down', ...args], env)
      expect([exitCode, document.hint]).toEqual([4, 'Add --confirm 0001_initial'])
    }
    expect(await latchkeyJSON(cwd, ['migrate', 'down', '--confirm', 'yes'], env)).toMatchObject({
      exitCode: 5,
      document: { code: 'NOT_CONFIRMED' },
    })
    expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({ applied: 1 })
  })
  test('asks for the name on a terminal', async () => {
    const { cwd, env } = await migrated()
    const terminal = onTerminal(cwd, ['migrate', 'down', '--yes'], env)
    await terminal.answer('Type 0001_initial', '0001_initial\r')
    expect(await terminal.ended).toBe(0)
    expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({ applied: 0 })
  })
  test('rolls back only the confirmed migration when two run together', async () => {
    const made = await migrated()
    const { cwd, env } = made
    writeFileSync(join(cwd, 'auth.config.ts'), withLimits)
    await latchkey(cwd, ['migrate', 'generate', '--name', 'limits'], env)
    await latchkey(cwd, ['migrate', 'up', '--yes'], env)
    const both = await Promise.all([1, 2].map(() => latchkey(cwd, ['migrate', 'down', '--confirm', '0002_limits'], env)))
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 5])
    expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({ applied: 1 })
  })
})

describe('on a terminal migrate up', () => {
  test('asks before it applies', async () => {
    const { cwd, env } = await project()
    await latchkey(cwd, ['migrate', 'generate'], env)
    const refused = onTerminal(cwd, ['migrate', 'up'], env)
    await refused.answer('Apply?', 'n')
    expect(await refused.ended).toBe(0)
    expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({ applied: 0 })
    const agreed = onTerminal(cwd, ['migrate', 'up'], env)
    await agreed.answer('Apply?', 'y')
    expect(await agreed.ended).toBe(0)
    expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({ applied: 1 })
  })
  test('does not ask with --yes', async () => {
    const { cwd, env } = await project()
    await latchkey(cwd, ['migrate', 'generate'], env)
    expect(await onTerminal(cwd, ['migrate', 'up', '--yes'], env).ended).toBe(0)
  })
})

/** A migration that takes the server some seconds. */
async function slowProject(seconds: number) {
  const made = await migrated()
  const { cwd, env } = made
  writeFileSync(join(cwd, 'auth.config.ts'), withLimits)
  await latchkey(cwd, ['migrate', 'generate', '--name', 'slow'], env)
  const file = join(cwd, 'migrations/0002_slow.sql')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('-- up\n', `-- up\n\nupdate user set name = name where sleep(${seconds}) = 0;\n`),
  )
  await sql`insert into user (id, name, email, emailVerified, createdAt, updatedAt)
    values ('a', 'a', 'a@example.com', 1, '2026-01-01', '2026-01-01')`.execute(opened(made).db)
  return made
}

describe('while a statement runs, migrate up', () => {
  test('prints the plan once, shows that it works, and how long it took', async () => {
    const { cwd, env } = await slowProject(4)
    const terminal = onTerminal(cwd, ['migrate', 'up'], env)
    await terminal.answer('Apply?', 'y')
    expect(await terminal.ended).toBe(0)
    expect(terminal.text().match(/↑ 0002_slow/g)).toHaveLength(1)
    expect(terminal.text()).toMatch(/0002_slow 1\/2 by hand is running: \d+ s/)
    expect(terminal.text()).toMatch(/0002_slow 1\/2 by hand \(\d+(\.\d)? s\)/)
  }, 60_000)

  test('is interrupted by Ctrl-C, releases the lock immediately and names the next step', async () => {
    const { cwd, env } = await slowProject(120)
    const interrupted = onTerminal(cwd, ['migrate', 'up'], env)
    await interrupted.answer('Apply?', 'y')
    await interrupted.answer('is running', '\x03')
    expect(await interrupted.ended).toBe(130)
    expect(interrupted.text()).toContain('Interrupted in statement 1 of 2 of 0002_slow. latchkey migrate up continues there.')
    const file = join(cwd, 'migrations/0002_slow.sql')
    writeFileSync(file, readFileSync(file, 'utf8').replace('sleep(120)', 'sleep(0)'))
    const { exitCode, stderr } = await latchkey(cwd, ['migrate', 'up', '--yes', '--lock-timeout', '0'], env)
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('Waiting')])
  }, 60_000)
})

test('migrate up without a terminal needs --yes, like every other question', async () => {
  const { cwd, env } = await project()
  await latchkey(cwd, ['migrate', 'generate'], env)
  for (const args of [[], ['--json']]) {
    const { exitCode, stderr } = await latchkey(cwd, ['migrate', 'up', ...args], env)
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('Add --yes')])
  }
  expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({ applied: 0 })
  expect(await latchkey(cwd, ['migrate', 'up', '--yes'], env)).toMatchObject({ exitCode: 0 })
  // Nothing to ask about.
  expect(await latchkey(cwd, ['migrate', 'up'], env)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Nothing to do'),
  })
})

test('a renamed field is suggested as a rename', async () => {
  const fields = (name: string) => configFile(`{ user: { additionalFields: { ${name}: { type: 'number', required: false } } } }`)
  const cwd = folder({ 'auth.config.ts': fields('seats') })
  await latchkey(cwd, ['migrate', 'generate'], complete)
  writeFileSync(join(cwd, 'auth.config.ts'), fields('licences'))
  const { stdout } = await latchkey(cwd, ['migrate', 'generate', '--dry-run'], complete)
  expect(stdout).toContain("If this is a rename, keep the column: licences: { …, fieldName: 'seats' }")
})
