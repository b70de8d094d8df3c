/** A project in its own folder, with the program as a process; everything is removed after the test. */
import type { ChildProcess } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, inject, onTestFinished } from 'vitest'
import { type DaemonState, findProcessStart } from '../../src/daemon/state.ts'
import type { DaemonStatus } from '../../src/daemon/status-report.ts'
import { type Ended, runHere } from '../kit/run-here.ts'
import { type Database, freshDatabase } from '../kit/servers/index.ts'
import { endKept, keptFolder, spawnKept } from '../kit/servers/keeper.ts'
import { freePort } from '../kit/servers/ports.ts'

const program = join(inject('program'), 'bin/latchkey.js')
const built = join(inject('program'), 'src/cli/program.js')
/** Long, because the machines are busy. */
const untilTimeoutMs = 25_000

export const secret = 'a secret of these tests, 0123456789 abcdefghij'

afterAll(endKept)

export interface Outcome {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** The one document of --json. */
  json(): Record<string, unknown>
}

export interface Foreground {
  readonly child: ChildProcess
  /** Standard output and standard error together. */
  output(): string
  ended(): Promise<number | NodeJS.Signals | null>
}

export interface PrivateAnswer {
  readonly status: number | undefined
  readonly body: string
}

type RunCommand = (args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string) => Promise<Outcome>

export interface Project {
  readonly folder: string
  readonly port: number
  /** Origin of the public port. */
  readonly origin: string
  readonly api: string
  configure(text: string): void
  /** Inside the test process, which takes a tenth of the time. @param cwd default: the folder of the project */
  latchkey: RunCommand
  /** The same as a process of its own: for commands that serve, that run at the same time, and for rules about processes. */
  latchkeyProcess: RunCommand
  /** Starts in the foreground without waiting. @param descriptors limit of open files, as in `ulimit -n` */
  launch(args: readonly string[], descriptors?: number): Foreground
  /** In the foreground, until it serves. */
  serve(args?: readonly string[]): Promise<Foreground>
  /** Null when there is none. */
  state(): DaemonState | null
  status(): Promise<DaemonStatus>
  /** A request on the socket. @param body is sent as JSON */
  private(method: string, path: string, body?: object): Promise<PrivateAnswer>
  /** On the socket for the operator's own servers. */
  privateAPI(method: string, path: string, body?: object): Promise<PrivateAnswer>
}

/** @param more members of the configuration, as source text */
export const configText = (port: number, more = ''): string => `
import { defineConfig } from 'latchkey/config'
export default defineConfig({
  baseURL: 'http://localhost:${port}',
  secret: '${secret}',
  emailAndPassword: { enabled: true },
  passwordHash: { memory: 8192, iterations: 1 },
  ${more}
})
`

/** With SQLite, unless `configure` says otherwise. */
export async function createProject(name = 'daemon'): Promise<Project> {
  const folder = keptFolder(name)
  const port = await freePort()
  const project = controls(folder, port)
  project.configure(configText(port, `server: { port: ${port} }, database: { url: 'sqlite:./test.db' }`))
  onTestFinished(() => killDaemon(project.state()))
  return project
}

function readState(folder: string): DaemonState | null {
  const file = join(folder, '.latchkey/state.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** Ends the daemon of another folder than that of the project. */
export const killDaemonOf = (folder: string): void => killDaemon(readState(folder))

function killDaemon(state: DaemonState | null): void {
  if (!state) return
  try {
    // The whole group: the workers too.
    process.kill(-state.pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function controls(folder: string, port: number): Project {
  const state = () => readState(folder)
  const launch: Project['launch'] = (args, descriptors) => {
    const before = existsSync(join(folder, 'output.log')) ? readFileSync(join(folder, 'output.log')).length : 0
    const command = [process.execPath, program, ...args]
    const limited =
      descriptors === undefined ? command : ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...command]
    const [file = '', ...rest] = limited
    const child = spawnKept(folder, file, rest)
    const end = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.on('exit', (code, signal) => resolve(signal ?? code)),
    )
    return { child, output: () => readFileSync(join(folder, 'output.log')).subarray(before).toString(), ended: () => end }
  }
  const getPrivate: Project['private'] = (method, path, body) => askSocket(state()?.socket ?? '', method, path, body)
  return {
    folder,
    port,
    origin: `http://127.0.0.1:${port}`,
    api: `http://127.0.0.1:${port}/api/auth`,
    configure: (text) => writeFileSync(join(folder, 'auth.config.ts'), text),
    latchkey: async (args, env = {}, cwd = folder) =>
      outcomeOf(await runHere({ args, cwd, env: inherited(env), program: built }), { folder, cwd }),
    latchkeyProcess: async (args, env = {}, cwd = folder) => {
      const options = { cwd, env, reject: false, stdin: 'ignore', cleanup: true } as const
      const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], options)
      return outcomeOf({ exitCode, stdout, stderr }, { folder, cwd })
    },
    launch,
    serve: async (args = ['start']) => {
      const foreground = launch(args)
      await until(async () => {
        if (foreground.child.exitCode !== null) throw new Error(foreground.output())
        return state()?.pid === foreground.child.pid
      })
      return foreground
    },
    state,
    status: async () => JSON.parse((await getPrivate('GET', '/status')).body),
    private: getPrivate,
    privateAPI: (method, path, body) => askSocket(state()?.apiSocket ?? '', method, path, body),
  }
}

/** Like that of a process that the test starts. */
function inherited(env: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return { ...Object.fromEntries(own), ...env }
}

function outcomeOf({ exitCode, stdout, stderr }: Ended, { folder, cwd }: { folder: string; cwd: string }): Outcome {
  const daemon = readState(cwd)
  // So that a detached daemon, too, ends with the test run.
  if (daemon) appendFileSync(join(dirname(folder), 'pids'), `${daemon.pid}\n`)
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) }
}

function askSocket(socketPath: string, method: string, path: string, sent?: object): Promise<PrivateAnswer> {
  return new Promise((resolve, reject) => {
    const headers = sent ? { 'content-type': 'application/json' } : {}
    // Another daemon may have the socket at the next request.
    request({ socketPath, method, path, headers, agent: false }, (incoming) => {
      let body = ''
      incoming.on('data', (chunk) => {
        body += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode, body }))
    })
      .on('error', reject)
      .end(sent && JSON.stringify(sent))
  })
}

/**
 * On a fresh database of a server, so that several workers may serve; its schema is in place.
 * @param server address of a private server; the shared one when left out
 */
export async function createServerProject(
  more: (port: number) => string,
  server?: string,
): Promise<Project & { readonly database: Database }> {
  const project = await createProject()
  const database = await freshDatabase(server)
  // What is on a private server goes with it.
  if (server === undefined) onTestFinished(database.drop)
  const text = (url: string) => configText(project.port, `database: { url: '${url}' }, ${more(project.port)}`)
  project.configure(text(database.url))
  for (const command of ['generate', 'up']) {
    requireSuccess(await project.latchkey(['migrate', command, '--yes']))
  }
  return { ...project, database }
}

/** @throws Error with what a failed command has printed, which for a daemon has the end of its log */
export function requireSuccess({ exitCode, stdout, stderr }: Outcome): void {
  if (exitCode !== 0) throw new Error(`The command ended with exit code ${exitCode}.\n${stdout}\n${stderr}`)
}

/** Polls until the condition holds. @throws Error when it does not hold in time */
export async function until(condition: () => boolean | Promise<boolean>, what = 'the expected condition'): Promise<void> {
  const end = performance.now() + untilTimeoutMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what} did not happen`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Whether the process runs; a zombie does not. */
export const isAlive = (pid: number): boolean => findProcessStart(pid) !== null

/** Over a connection of its own: a stopping daemon keeps reused ones open for a moment. */
export const statusOf = async (url: string): Promise<number> => (await fetch(url, { headers: { connection: 'close' } })).status

/** Another program listens on the port until the test ends. */
export async function occupy(port: number): Promise<void> {
  const other = createServer((_, outgoing) => outgoing.end('another program'))
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
}
