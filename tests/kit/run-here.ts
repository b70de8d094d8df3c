/**
 * Runs commands inside the test process: no start-up, and the modules of the CLI are loaded once per worker.
 * The CLI is loaded by Node itself, without Vitest's transform, so that a configuration is imported as in production.
 */
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

export interface Ended {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

export interface Run {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** What standard input holds. */
  readonly input?: string | Uint8Array
  /** The file of a built program, which starts daemons that are built too. Default: the source. */
  readonly program?: string
}

/** Folders of test projects start with this. */
export const projectPrefix = join(tmpdir(), 'latchkey-cli-')

const require = createRequire(import.meta.url)
const source = '../../src/cli/program.ts'
const loadProgram = (path: string): typeof import('../../src/cli/program.ts') => require(path)

// The working directory belongs to the process, so commands run one after the other.
let queue: Promise<unknown> = Promise.resolve()
let runs = 0

export function runHere(run: Run): Promise<Ended> {
  const ended = queue.then(() => runAlone(run))
  queue = ended.catch(() => {})
  return ended
}

async function runAlone({ args, cwd, env, input = '', program = source }: Run): Promise<Ended> {
  const { runCli } = loadProgram(program)
  const [stdout, stderr] = [collect(), collect()]
  const streams = { stdin: chunksOf(Buffer.from(input)), stdout: stdout.stream, stderr: stderr.stream }
  const before = processState()
  const hook = importAfresh(++runs)
  const home = process.cwd()
  // Functions of a configuration may use relative paths when they are called.
  process.chdir(cwd)
  try {
    const exitCode = await runCli(args, { streams, cwd, env: { ...env } })
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(home)
    hook.deregister()
    for (const file of Object.keys(require.cache)) if (file.startsWith(projectPrefix)) delete require.cache[file]
    expectSame(before, processState(), args)
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes
}

function collect(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  // Like execa, which strips one newline at the end.
  return {
    stream,
    text: () =>
      Buffer.concat(chunks)
        .toString()
        .replace(/\r?\n$/, ''),
  }
}

/** A process imports a file once; the next command in this process must read what a configuration imports again. */
function importAfresh(number: number): { deregister(): void } {
  const prefix = pathToFileURL(projectPrefix).href
  return registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      if (!found.url.startsWith(prefix) || found.url.includes('?')) return found
      return { ...found, url: `${found.url}?run=${number}` }
    },
  })
}

const watched = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGUSR2',
  'exit',
  'beforeExit',
  'uncaughtException',
  'unhandledRejection',
  'warning',
]

/** What a command could leave behind in the process. */
function processState(): Readonly<Record<string, unknown>> {
  const listeners = watched.map((name): [string, number] => [name, process.listenerCount(name)])
  return { ...Object.fromEntries(listeners), cwd: process.cwd(), exitCode: process.exitCode, env: JSON.stringify(process.env) }
}

function expectSame(before: object, after: object, args: readonly string[]): void {
  const [expected, found] = [JSON.stringify(before), JSON.stringify(after)]
  if (expected !== found) throw new Error(`latchkey ${args.join(' ')} changed the process: ${expected} → ${found}`)
}
