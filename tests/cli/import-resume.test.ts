/** Resuming an interrupted import. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { latchkey, latchkeyJSON } from './kit.ts'
import { type Project, places, serve } from './projects.ts'
import { onTerminal } from './terminal.ts'

const line = (number: number | string) => `${JSON.stringify({ user: { email: `user-${number}@example.com`, name: 'User' } })}\n`
const args = ['import', 'users', 'users.ndjson']
const counts = (created: number, unchanged = 0, conflict = 0, invalid = 0) => ({ created, unchanged, conflict, invalid })

/** A project whose import of 1200 lines was ended after 1000: a trigger refused the rest. */
async function ended(lines = Array.from({ length: 1200 }, (_, index) => line(index + 1)), last = 1000) {
  const project = await places.SQLite()
  writeFileSync(join(project.cwd, 'users.ndjson'), lines.join(''))
  const { database } = await serve(project)
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  await sql
    .raw(
      "create trigger refuse before insert on user when new.email = 'user-1001@example.com' begin select raise(abort, 'full'); end",
    )
    .execute(database.db)
  const first = await latchkeyJSON(project.cwd, args, project.env)
  expect([first.exitCode, first.stderr]).toEqual([
    1,
    expect.stringContaining(`Stopped after line ${last}. Continue with --resume`),
  ])
  await sql.raw('drop trigger refuse').execute(database.db)
  const folder = join(project.cwd, '.latchkey/imports')
  const [name = ''] = readdirSync(folder)
  return { project, file: join(project.cwd, 'users.ndjson'), checkpoint: join(folder, name), folder }
}
const resume = ({ cwd, env }: Project) => latchkeyJSON(cwd, [...args, '--resume'], env)

test('resumes after the last batch, then removes the checkpoint', async () => {
  const { project, checkpoint, folder } = await ended()
  expect(statSync(checkpoint).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const second = await resume(project)
  expect([second.exitCode, second.document]).toEqual([
    0,
    { schema: 'import-users/v1', dryRun: false, fromLine: 1001, ...counts(1200) },
  ])
  expect(second.stderr).toContain('Resuming after line 1000')
  expect(readdirSync(folder)).toEqual([])
  const third = await resume(project)
  expect(third.document).toMatchObject({ fromLine: 1, ...counts(0, 1200) })
  expect(third.stderr).toContain('starting at line 1')
})

test('counts lines and invalid lines over the whole file', async () => {
  const lines = Array.from({ length: 1200 }, (_, index) => line(index + 1))
  const { project } = await ended(['no JSON\n', '\n', ...lines.slice(1, 1100), 'no JSON either\n', ...lines.slice(1100)], 1001)
  const second = await latchkey(project.cwd, [...args, '--resume', '--json'], project.env)
  expect(second.exitCode).toBe(1)
  const [wrong, report] = second.stdout.split('\n').map((text) => (text ? JSON.parse(text) : null))
  expect(wrong).toMatchObject({ line: 1102, outcome: 'invalid' })
  expect(report).toMatchObject(counts(1199, 0, 0, 2))
})

test('starts at the first line without --resume', async () => {
  const { project, folder } = await ended()
  const { document } = await latchkeyJSON(project.cwd, args, project.env)
  expect(document).toMatchObject({ fromLine: 1, ...counts(200, 1000) })
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['has more lines', 'its size was', (file: string) => appendFileSync(file, line('new'))],
  [
    'has another beginning',
    'the imported part is different',
    (file: string) => {
      const { mtime } = statSync(file)
      writeFileSync(file, readFileSync(file, 'utf8').replace('user-1@', 'user-x@'))
      utimesSync(file, mtime, mtime)
    },
  ],
  ['was written to', 'its modification time is different', (file: string) => utimesSync(file, 1, 1)],
])('rejects a file that %s', async (_how, why, change) => {
  const { project, file, checkpoint } = await ended()
  change(file)
  const { exitCode, document } = await resume(project)
  expect([exitCode, document]).toEqual([
    5,
    expect.objectContaining({ code: 'IMPORT_CHANGED', message: expect.stringContaining(why) }),
  ])
  expect(document.message).toContain('has changed since line 1000 was imported')
  expect(existsSync(checkpoint)).toBe(true)
  expect((await latchkey(project.cwd, args, project.env)).exitCode).toBe(0)
})

test('rejects another database; the checkpoint reveals no database and no user', async () => {
  const { project, checkpoint } = await ended()
  const elsewhere = await latchkeyJSON(project.cwd, [...args, '--resume'], { ...project.env, DATABASE_URL: 'sqlite:./b.db' })
  expect([elsewhere.exitCode, elsewhere.document.code]).toEqual([5, 'IMPORT_ELSEWHERE'])
  expect(readFileSync(checkpoint, 'utf8')).not.toMatch(/test\.db|example\.com/)
})

test('ignores an incomplete checkpoint', async () => {
  const { project, checkpoint } = await ended()
  writeFileSync(checkpoint, readFileSync(checkpoint, 'utf8').slice(0, 40))
  expect((await resume(project)).document).toMatchObject({ fromLine: 1, ...counts(200, 1000) })
})

test('warns and continues when no checkpoint can be written', async () => {
  const project = await places.SQLite()
  writeFileSync(join(project.cwd, 'users.ndjson'), line(1))
  mkdirSync(join(project.cwd, '.latchkey'))
  writeFileSync(join(project.cwd, '.latchkey/imports'), 'a file in its place')
  const { exitCode, document, stderr } = await latchkeyJSON(project.cwd, args, project.env)
  expect([exitCode, document]).toMatchObject([0, counts(1)])
  expect(stderr).toContain('cannot be resumed')
})

test.each([
  [['--resume', '--dry-run'], '--dry-run'],
  [['-', '--resume'], 'regular file'],
])('%j is a usage error', async (more, message) => {
  const { cwd, env } = await places.SQLite()
  writeFileSync(join(cwd, 'users.ndjson'), line(1))
  const words = more[0] === '-' ? ['import', 'users', ...more] : [...args, ...more]
  const outcome = await latchkey(cwd, [...words, '--json'], env, { input: '' })
  expect([outcome.exitCode, JSON.parse(outcome.stdout)]).toEqual([
    2,
    expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) }),
  ])
})

test('explains how to continue after Ctrl-C', async () => {
  const project = await places.SQLite()
  const many = Array.from({ length: 60_000 }, (_, index) => line(index + 1))
  writeFileSync(join(project.cwd, 'users.ndjson'), many.join(''))
  const terminal = onTerminal(project.cwd, args, project.env)
  await expect.poll(() => existsSync(join(project.cwd, '.latchkey/imports')), { timeout: 20_000 }).toBe(true)
  await terminal.answer('', '\u0003')
  expect(await terminal.ended).toBe(130)
  expect(terminal.text()).toMatch(/Stopped after line \d+\. Continue with --resume/)
  const second = await resume(project)
  expect([second.exitCode, Number(second.document.created) + Number(second.document.unchanged)]).toEqual([0, 60_000])
}, 60_000)
