import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash as bcrypt } from 'bcrypt'
import { describe, expect, test } from 'vitest'
import { bin, complete, type Environment, inherited, latchkey, latchkeyJSON } from './kit.ts'
import { options, type Project, places, serve } from './projects.ts'
import { onTerminal } from './terminal.ts'

const password = 'a perfectly fine passphrase'
const documents = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const credential = (hash: string) => [{ providerId: 'credential', password: hash }]
const line = (name: string, more: object = {}, accounts: readonly object[] = []) =>
  JSON.stringify({ user: { email: `${name}@example.com`, name, ...more }, accounts })

async function run({ cwd, env }: Project, lines: readonly string[], ...args: string[]) {
  const ended = await latchkey(cwd, ['import', 'users', '-', ...args, '--json'], env, {
    input: `${lines.join('\n')}\n`,
  })
  const all = documents(ended.stdout)
  const { schema, dryRun, fromLine, ...counts } = all.at(-1) ?? {}
  expect(fromLine).toBe(1)
  return { ...ended, lines: all.slice(0, -1), schema, dryRun, counts }
}
const counts = (created: number, unchanged = 0, conflict = 0, invalid = 0) => ({ created, unchanged, conflict, invalid })

describe.each(Object.entries(places))('on %s', { timeout: 90_000 }, (_, create) => {
  test('imports an export unchanged, and changes nothing the second time', async () => {
    const from = await create()
    const tags = ['a', 'b']
    const made = await run(from, [
      line(
        'ann',
        { plan: 'pro', age: 7, tags, note: 'x', role: 'admin', emailVerified: true, createdAt: '2020-01-31T12:00:00.123Z' },
        [...credential(await bcrypt(password, 4)), { providerId: 'github', accountId: '12', scope: 'a,b' }],
      ),
      line('bob'),
    ])
    expect([made.exitCode, made.schema, made.counts]).toEqual([0, 'import-users/v1', counts(2)])
    const file = join(from.cwd, 'users.ndjson')
    const args = ['export', 'users', '--with-password-hashes', '--plain', '--confirm', 'password-hashes', '--out', file]
    const exported = await latchkeyJSON(from.cwd, args, from.env)
    expect([exported.exitCode, exported.document]).toEqual([0, { schema: 'export/v1', users: 2, file, isEncrypted: false }])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const to = await create()
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect((await run(to, lines)).counts).toEqual(counts(2))
    const again = await latchkey(to.cwd, ['export', 'users', ...args.slice(2, 6)], to.env)
    const sorted = (texts: readonly string[]) => texts.toSorted()
    expect(sorted(again.stdout.split('\n'))).toEqual(sorted(lines))
    expect((await run(to, lines)).counts).toEqual(counts(0, 2))
    const { app, browser } = await serve(to)
    const signIn = { body: { email: 'ann@example.com', password } }
    expect((await browser().call('POST /sign-in/email', signIn)).status).toBe(200)
    // Latchkey has replaced the hash since: that is not a conflict.
    expect((await run(to, lines)).counts).toEqual(counts(0, 2))
    expect((await app.db.selectFrom('passwordScheme').select('scheme').execute()).map(({ scheme }) => scheme)).toContain('bcrypt')
  })

  test('reports invalid lines by number and imports the others', async () => {
    const project = await create()
    const lines = [
      line('ann', {}, credential(await bcrypt(password, 4))),
      '{ no JSON',
      '',
      line('x y'),
      line('eve', { admin: true }),
      line('eve', {}, credential('5f4dcc3b5aa765d61d8327deb882cf99')),
      line('eve', {}, credential(`$2b$20$${'a'.repeat(53)}`)),
      line('eve', { role: 'emperor' }),
      line('eve', { plan: 'gold' }),
      line('eve', {}, [{ providerId: 'github' }]),
      line('eve', {}, [{ providerId: 'github', accountId: '1', accessToken: 'x' }]),
      line('eve', { createdAt: 'yesterday' }),
      line('bob', { id: 'of-bob' }),
      line('carl', { id: 'of-bob' }),
      line('ann', { name: 'Another' }),
      line('BOB', { name: 'bob' }),
      line('dora', {}, [{ providerId: 'github', accountId: '77' }]),
      line('emil', {}, [{ providerId: 'github', accountId: '77' }]),
      `{"user":{"email":"${'x'.repeat(1_100_000)}"}}`,
      line('fritz'),
    ]
    const ended = await run(project, lines)
    expect([ended.exitCode, ended.counts]).toEqual([1, counts(4, 1, 3, 11)])
    const outcomes = ended.lines.map(({ line: number, outcome }) => `${number} ${outcome}`)
    const invalid = [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 19].map((number) => `${number} invalid`)
    expect(outcomes.toSorted()).toEqual([...invalid, '14 conflict', '15 conflict', '18 conflict'].toSorted())
    expect(ended.stdout).not.toContain('5f4dcc3b')
    const { app } = await serve(project)
    const emails = (await app.db.selectFrom('user').select('email').orderBy('email').execute()).map(({ email }) => email)
    expect(emails).toEqual(['ann', 'bob', 'dora', 'fritz'].map((name) => `${name}@example.com`))
  })

  test('checks everything and writes nothing in a dry run', async () => {
    const project = await create()
    await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
    const ended = await run(project, [line('ann'), line('x y')], '--dry-run')
    expect([ended.exitCode, ended.dryRun, ended.counts]).toEqual([1, true, counts(1, 0, 0, 1)])
    const { app } = await serve(project)
    expect(await app.db.selectFrom('user').select('id').execute()).toEqual([])
  })
})

test('imports weak hashes only with --weak, and a wrapped export elsewhere', async () => {
  const [project, other] = [await places.SQLite(), await places.SQLite()]
  const lines = [line('ann', {}, credential('{SSHA}TlN6tSTGTnsJ9PRGbUTIgH8m5H14w2IYNI0KJw==')), line('bob')]
  const refused = await run(project, lines)
  expect([refused.exitCode, refused.counts]).toEqual([1, counts(1, 0, 0, 1)])
  expect(refused.lines).toMatchObject([
    { line: 1, outcome: 'invalid', message: expect.stringContaining('{SSHA}. Import it with --weak') },
  ])
  const wrapped = await run(project, lines, '--weak', 'wrap')
  expect([wrapped.exitCode, wrapped.counts]).toEqual([0, counts(1, 1)])
  const hashes = ['export', 'users', '--with-password-hashes', '--plain', '--confirm', 'password-hashes']
  const exported = await latchkey(project.cwd, hashes, project.env)
  expect((await run(other, exported.stdout.trim().split('\n'))).counts).toEqual(counts(2))
  const { browser } = await serve(other)
  const signIn = { body: { email: 'ann@example.com', password: 'flask-of-tea' } }
  expect((await browser().call('POST /sign-in/email', signIn)).status).toBe(200)
})

test('calls no hooks of the configuration', async () => {
  const project = await places.SQLite()
  const text = JSON.stringify(options).replace(/\}$/, ', databaseHooks: { user: { create: { before: () => false } } } }')
  writeFileSync(
    join(project.cwd, 'auth.config.ts'),
    `import { defineConfig } from 'latchkey/config'\nexport default defineConfig(${text})\n`,
  )
  expect((await run(project, [line('ann')])).counts).toEqual(counts(1))
})

test('exports hashes in plain text only when confirmed by name, and never tokens', async () => {
  const project = await places.SQLite()
  await run(project, [line('ann', {}, [...credential(await bcrypt(password, 4)), { providerId: 'github', accountId: '1' }])])
  const { app } = await serve(project)
  await app.db.updateTable('account').set({ accessToken: 'an-access-token', refreshToken: 'a-refresh-token' }).execute()
  const { cwd, env } = project
  const plain = await latchkey(cwd, ['export', 'users'], env)
  expect([plain.exitCode, documents(plain.stdout)]).toMatchObject([0, [{ schema: 'export-users/v1', user: { name: 'ann' } }]])
  expect(plain.stdout).not.toContain('$2b$')
  const hashes = ['export', 'users', '--with-password-hashes', '--plain']
  expect(await latchkeyJSON(cwd, [...hashes, '--yes'], env)).toMatchObject({ exitCode: 4 })
  expect(await latchkeyJSON(cwd, [...hashes, '--confirm', 'yes'], env)).toMatchObject({ exitCode: 5 })
  const full = await latchkey(cwd, [...hashes, '--confirm', 'password-hashes'], env)
  expect(full.stdout).toContain('$2b$')
  for (const { stdout } of [plain, full]) expect(stdout).not.toMatch(/an-access-token|a-refresh-token/)
})

// Each key takes a second, and several on a busy machine.
describe('an export with secrets', { timeout: 180_000 }, () => {
  const phrase = 'a passphrase of some words'
  const encrypted = ['export', 'users', '--with-password-hashes', '--out', 'users.ndjson']

  async function withUsers(count = 1) {
    const project = await places.SQLite()
    const hash = credential(await bcrypt(password, 4))
    const names = Array.from({ length: count }, (_, index) => line(index === 0 ? 'ann' : `user-${index}`, {}, hash))
    await run(project, names)
    writeFileSync(join(project.cwd, 'phrase'), `${phrase}\n`)
    writeFileSync(join(project.cwd, 'wrong'), 'another passphrase of words')
    writeFileSync(join(project.cwd, 'short'), 'elevenchars')
    return project
  }

  async function withExport(count = 1) {
    const from = await withUsers(count)
    const args = [...encrypted, '--passphrase-file', 'phrase']
    expect((await latchkeyJSON(from.cwd, args, from.env)).document).toMatchObject({ users: count, isEncrypted: true })
    const text = readFileSync(join(from.cwd, 'users.ndjson'), 'utf8')
    // Neither stands in base64, which may contain any letters by chance.
    expect(text).not.toMatch(/@example|\$2b\$/)
    const to = await withUsers(0)
    writeFileSync(join(to.cwd, 'users.ndjson'), text)
    const importFile = (...more: string[]) => latchkeyJSON(to.cwd, ['import', 'users', 'users.ndjson', ...more], to.env)
    return { from, to, text, importFile }
  }

  test('is encrypted, and imported with its passphrase, from a file and from standard input', async () => {
    const { to, text, importFile } = await withExport(3)
    const withPhrase = ['--passphrase-file', 'phrase']
    expect((await importFile(...withPhrase, '--dry-run')).document).toMatchObject({ created: 3 })
    expect((await importFile(...withPhrase)).document).toMatchObject(counts(3))
    const piped = await latchkey(to.cwd, ['import', 'users', '-', ...withPhrase], to.env, { input: text })
    expect(piped.stdout).toContain('0 created, 3 unchanged')
    const { browser } = await serve(to)
    const signIn = { body: { email: 'ann@example.com', password } }
    expect((await browser().call('POST /sign-in/email', signIn)).status).toBe(200)
  })

  test('is not imported without its passphrase, or with a wrong one', async () => {
    const { to, importFile } = await withExport()
    expect(await importFile()).toMatchObject({ exitCode: 4, document: { code: 'ANSWER_NEEDED' } })
    expect(await importFile('--passphrase-file', 'wrong')).toMatchObject({
      exitCode: 5,
      document: {
        code: 'WRONG_PASSPHRASE',
        message: 'Cannot decrypt users.ndjson: the passphrase is wrong, or the file has changed',
      },
    })
    const { app } = await serve(to)
    expect(await app.db.selectFrom('user').select('id').execute()).toEqual([])
  })

  test('needs a passphrase that is long enough, and a confirmation in its place only with --plain', async () => {
    const { cwd, env } = await withUsers()
    const code = async (...more: string[]) => {
      const { exitCode, document } = await latchkeyJSON(cwd, ['export', 'users', ...more], env)
      return [exitCode, document.code]
    }
    expect(await code('--with-password-hashes', '--yes')).toEqual([4, 'ANSWER_NEEDED'])
    expect(await code('--with-password-hashes', '--confirm', 'password-hashes')).toEqual([2, 'USAGE'])
    expect(await code('--with-password-hashes', '--passphrase-file', 'short')).toEqual([2, 'PASSPHRASE_SHORT'])
    expect(await code('--with-password-hashes', '--plain', '--passphrase-file', 'phrase')).toEqual([2, 'USAGE'])
    expect(await code('--plain')).toEqual([2, 'USAGE'])
    writeFileSync(join(cwd, 'plain.ndjson'), `${line('bob')}\n`)
    const unneeded = ['import', 'users', 'plain.ndjson', '--passphrase-file', 'phrase']
    expect(await latchkeyJSON(cwd, unneeded, env)).toMatchObject({ exitCode: 2, document: { code: 'USAGE' } })
  })

  test('asks for the passphrase twice on a terminal, and never shows it', async () => {
    const { cwd, env } = await withUsers()
    const slip = onTerminal(cwd, encrypted, env)
    await slip.answer('New passphrase', `${phrase}\r`)
    await slip.answer('The same passphrase again', `${phrase}s\r`)
    expect(await slip.ended, slip.text()).toBe(2)
    expect(slip.text()).toContain('The two passphrases differ')
    const terminal = onTerminal(cwd, encrypted, env)
    await terminal.answer('New passphrase', `${phrase}\r`)
    await terminal.answer('The same passphrase again', `${phrase}\r`)
    expect(await terminal.ended, terminal.text()).toBe(0)
    const imported = onTerminal(cwd, ['import', 'users', 'users.ndjson', '--dry-run'], env)
    await imported.answer('Passphrase of the export', `${phrase}\r`)
    expect(await imported.ended, imported.text()).toBe(0)
    expect(imported.text()).toContain('1 unchanged')
    for (const shown of [slip, terminal, imported]) expect(shown.text()).not.toContain('some words')
  })
})

test('reports a missing file and a folder that cannot be written', async () => {
  const { cwd, env } = await places.SQLite()
  const missing = await latchkeyJSON(cwd, ['import', 'users', 'nothing.ndjson'], env)
  expect(missing).toMatchObject({ exitCode: 1, document: { code: 'FILE_ACCESS' } })
  expect(missing.document.message).toBe(`Cannot open ${join(cwd, 'nothing.ndjson')}: no such file or folder`)
  const nowhere = await latchkeyJSON(cwd, ['export', 'users', '--out', 'no/such/folder'], env)
  expect(nowhere).toMatchObject({ exitCode: 1, document: { code: 'FILE_ACCESS' } })
})

const many = 50_000
async function manyLines(cwd: string): Promise<string> {
  const file = join(cwd, 'many.ndjson')
  const stream = createWriteStream(file)
  const salt = 'ab'.repeat(16)
  for (let number = 0; number < many; number += 1) {
    const hash = `${salt}:${number.toString(16).padStart(128, '0')}`
    if (!stream.write(`${line(`user-${number}`, { plan: 'free' }, credential(hash))}\n`)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
  return file
}

/** Runs an import; `watch` is called repeatedly with the highest resident memory of the process, in MiB. */
function begin(cwd: string, env: Environment, file: string, ...args: string[]) {
  const child = spawn(process.execPath, [bin, 'import', 'users', file, ...args, '--json'], {
    cwd,
    env: { ...inherited, ...complete, ...env },
  })
  let stdout = ''
  let peak = 0
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
  })
  const timer = setInterval(() => {
    try {
      const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      peak = Math.max(peak, Number(kilobytes) / 1024)
    } catch {
      clearInterval(timer)
    }
  }, 50)
  const ended = once(child, 'exit').finally(() => clearInterval(timer))
  return { child, ended, stdout: () => stdout, peak: () => peak }
}

test(`${many} users: a killed and resumed import creates each user once, in bounded memory`, async () => {
  const project = await places['a server']()
  const { cwd, env } = project
  const file = await manyLines(cwd)
  const { app } = await serve(project)
  const count = async () =>
    Number(
      (
        await app.db
          .selectFrom('user')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    )
  const first = begin(cwd, env, file)
  await expect.poll(count, { timeout: 60_000, interval: 50 }).toBeGreaterThan(10_000)
  first.child.kill('SIGKILL')
  await first.ended
  const left = await count()
  expect(left).toBeLessThan(many)
  const second = begin(cwd, env, file, '--resume')
  expect(await second.ended).toEqual([0, null])
  const { fromLine, created, unchanged, ...more } = documents(second.stdout()).at(-1) ?? {}
  // What the killed run had written without having noted it: a batch at most.
  expect(left - Number(fromLine) + 1).toBeOneOf([0, 500])
  expect(fromLine).toBeGreaterThan(10_000)
  expect({ created, unchanged }).toEqual({ created: many - Number(unchanged), unchanged: left - Number(fromLine) + 1 })
  expect(more).toMatchObject({ conflict: 0, invalid: 0 })
  expect(await count()).toBe(many)
  expect((await app.db.selectFrom('account').select('id').where('accountId', '=', 'x').execute()).length).toBe(0)
  expect(readdirSync(join(cwd, '.latchkey/imports'))).toEqual([])
  process.stdout.write(`the import of ${many} users took ${second.peak().toFixed(0)} MiB at most\n`)
  // It does not grow with the file: with SQLite, 200,000 users took 10 MiB more than 50,000.
  expect(second.peak()).toBeLessThan(350)
}, 240_000)
