/**
 * Uses a daemon with all features and all commands, in one process and the daemons that it starts, so that one trace sees everything.
 * Usage: node network-run.ts FOLDER PORT. Prints the commands with their exit codes.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { chapters } from '../../src/cli/command-list.ts'
import { runCli } from '../../src/cli/program.ts'

const [folder = '', port = ''] = process.argv.slice(2)
process.chdir(folder)

/** It enables every feature that does not name another server. */
const features = join(import.meta.dirname, '../kit/everything.ts')
const origin = `http://localhost:${port}`
const secret = '0123456789 abcdefghijklmnopqrstuvwxyz'
writeFileSync(
  'auth.config.ts',
  `import { everything } from '${features}'
export default {
  ...everything,
  baseURL: '${origin}',
  secret: '${secret}',
  // Emails and text messages are caught.
  environment: 'development',
  server: { port: ${port} },
  database: { url: 'sqlite:./test.db' },
  passwordHash: { memory: 8192, iterations: 1 },
}
`,
)

/** What examples name; no server listens. */
const oldDatabases = {
  OLD_DATABASE_URL: 'sqlite:old.db',
  SUPABASE_URL: 'postgres://127.0.0.1:1/none',
  WORDPRESS_URL: 'mysql://127.0.0.1:1/none',
}

/** @returns the exit code */
function latchkey(args: readonly string[]): Promise<number> {
  const closed = { ...process.stdin, isTTY: false, async *[Symbol.asyncIterator]() {} } as unknown as NodeJS.ReadStream
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })
  const streams = { stdin: closed, stdout: nowhere(), stderr: nowhere() }
  return runCli([...args, '--no-input'], {
    streams,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...oldDatabases },
  })
}

interface Example {
  readonly command: string
  readonly args: readonly string[]
}

/** The examples of each help page, up to what a shell does with the rest. */
async function findExamples(): Promise<Example[]> {
  const entries = chapters.flatMap((chapter) => chapter.entries)
  const loaded = await Promise.all(entries.map(({ load }) => load()))
  const leaves = loaded.flatMap((entry) =>
    'commands' in entry ? entry.commands.map((own) => ({ ...own, name: `${entry.name} ${own.name}` })) : [entry],
  )
  return leaves.flatMap(({ name, examples }) =>
    examples.slice(0, 2).map((line) => {
      const [, rest = ''] = /\blatchkey ((?:"[^"]*"|'[^']*'|[^"'&|<>#)])*)/.exec(line) ?? []
      const words = rest.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
      return { command: name, args: words.map((word) => word.replaceAll(/^["']|["']$/g, '')) }
    }),
  )
}

/** Commands that serve until a signal ends them; the daemon that they are is started below. */
const serving = ['dev', 'start', 'restart', 'stop']
/** An example that names another server is a request of the operator. Following a log has no end. */
const isLeftOut = ({ args }: Example): boolean => args.some((word) => /^(--ntp|--follow|-f)$|^(mysql|postgres\w*):/.test(word))

const post = async (path: string, body: object): Promise<number> => {
  const headers = { 'content-type': 'application/json', origin }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

async function use(): Promise<number[]> {
  const [email, password] = ['ann@example.com', 'correct horse battery staple']
  return [
    await post('/api/auth/sign-up/email', { name: 'Ann', email, password }),
    await post('/api/auth/sign-in/email', { email, password }),
    await post('/api/auth/request-password-reset', { email, redirectTo: '/' }),
    (await fetch(`http://127.0.0.1:${port}/sign-in`)).status,
    (await fetch(`http://127.0.0.1:${port}/readyz`)).status,
  ]
}

/** `latchkey dev` in a process of its own, until it serves. */
async function develop(): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/latchkey.js'), 'dev'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/api/auth/ok`).then(
      ({ ok }) => ok,
      () => false,
    )
  let up = false
  for (let attempt = 0; attempt < 300 && !up && child.exitCode === null; attempt += 1) {
    up = await isUp()
    if (!up) await pause(100)
  }
  child.kill('SIGTERM')
  await ended
  return up
}

const ran: [command: string, line: string, code: number][] = []
const run = async (command: string, args: readonly string[]) => {
  ran.push([command, args.join(' '), await latchkey(args)])
}
const isServing = await develop()
await run('start', ['start', '--detach'])
const statuses = await use()
/** What the examples name. An example may have renamed or deleted it. */
async function createNamed(): Promise<void> {
  for (const name of ['ann', 'bob']) await latchkey(['users', 'create', '--email', `${name}@example.com`, '--name', name])
  await latchkey(['orgs', 'create', 'Acme', '--owner', 'ann@example.com'])
}

/** The exports that examples of `move` name; their systems share names, so each gets its own before it is read. */
function placeExports([group, command = '', ...words]: readonly string[]): void {
  if (group !== 'move') return
  const system = command.replace('from-', '').replace('csv', 'laravel')
  for (const word of words.filter((each) => /^[\w-]+\.\w+$/.test(each))) {
    const [from] = [word, `password-${word}`, `list-${word}`]
      .map((name) => join(import.meta.dirname, '../moving/fixtures', system, name))
      .filter((path) => existsSync(path))
    if (from) copyFileSync(from, join(folder, word))
    else writeFileSync(join(folder, word), '')
  }
}

/** The file that the examples of `import all` name; those of `export all` write it. */
async function placeCompleteExport(command: string): Promise<void> {
  const args = ['export', 'all', '--confirm', 'secrets', '--force', '--out', 'all.ndjson']
  if (command === 'import all') await latchkey(args)
  if (command === 'export all') rmSync(join(folder, 'all.ndjson'), { force: true })
}

let isMissing = true
for (const { command, args } of (await findExamples()).filter((each) => !serving.includes(each.command) && !isLeftOut(each))) {
  if (isMissing) await createNamed()
  placeExports(args)
  await placeCompleteExport(command)
  await run(command, args)
  isMissing = /^users (update|delete)$|^orgs delete$|^privacy erase$/.test(command)
}
await run('restart', ['restart'])
await run('stop', ['stop'])
process.stdout.write(JSON.stringify({ isServing, statuses, ran }))
process.exit()
