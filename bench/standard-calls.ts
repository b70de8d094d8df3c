/** The calls by which speed is judged, sent to the daemons of one source and configuration. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { registerCleanup } from './cleanup.ts'
import { acceptsOptions, cookieCache, type Daemon, type Options, organizations, post, signUp, startDaemon } from './daemon.ts'
import type { Floor } from './floors.ts'
import type { Target } from './load.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

export interface Installation {
  readonly name: string
  readonly root: string
  /** In addition to email and password. */
  readonly options: Options
}

interface StandardCall {
  readonly on: 'plain' | 'cached' | 'lists'
  /** What the call cannot do without. */
  readonly floor: Floor
  /** Most CPU time of the call, compared with its floor. */
  readonly aim?: number
}

export const standardCalls = {
  ok: { on: 'plain', floor: 'bare', aim: 1.6 },
  'get-session': { on: 'plain', floor: 'database', aim: 1.3 },
  'get-session-cached': { on: 'cached', floor: 'redis', aim: 1.6 },
  'sign-in': { on: 'plain', floor: 'verify', aim: 1.2 },
  'sign-up': { on: 'plain', floor: 'hash', aim: 1.2 },
  'update-user': { on: 'plain', floor: 'database' },
  // Of five organizations, and of 100 users of 10,000.
  'organization-list': { on: 'lists', floor: 'bare', aim: 1 / 0.12 },
  'list-users': { on: 'lists', floor: 'bare', aim: 1 / 0.03 },
} as const satisfies Record<string, StandardCall>

export type CallName = keyof typeof standardCalls

/** @throws Error for an unknown name */
export const readCallNames = (given: string | undefined): CallName[] => {
  const known = Object.keys(standardCalls) as CallName[]
  const unknown = given?.split(',').find((name) => !known.some((each) => each === name))
  if (unknown !== undefined) throw new Error(`Unknown call ${unknown}: expected one of ${known.join(', ')}`)
  return given === undefined ? known : known.filter((name) => given.split(',').includes(name))
}

export interface OpenCalls {
  readonly targets: Partial<Record<CallName, Target>>
  /** Of the daemon with the fewest features. */
  readonly plain: { readonly daemon: Daemon; readonly database: string; readonly session: Target['headers'] }
}

/** Starts the daemons that the calls need. They stop at the end of the run. */
export async function openCalls(storage: Storage, installation: Installation, names: readonly CallName[]): Promise<OpenCalls> {
  const { plain, targets } = await openPlain(storage, installation)
  const more: Partial<Record<CallName, Target>> = {}
  for (const kind of ['cached', 'lists'] as const) {
    const needed = names.filter((name) => standardCalls[name].on === kind)
    if (needed.length === 0) continue
    const options = kind === 'cached' ? cookieCache(storage.redis) : { admin: 'true', ...organizations }
    const extended = { ...installation, options: { ...options, ...installation.options } }
    if (await acceptsOptions(extended)) Object.assign(more, await (kind === 'cached' ? openCached : openLists)(storage, extended))
    else print(`left out, because ${installation.name} does not know them: ${needed.join(', ')}`)
  }
  const all: Partial<Record<CallName, Target>> = { ...targets, ...more }
  return { plain, targets: Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : []))) }
}

const password = 'correct horse battery'
const email = 'bench@example.com'
const get = ({ url, pid }: Daemon, path: string, cookie: string): Target => ({ url: `${url}${path}`, pid, headers: { cookie } })

async function openPlain({ freshDatabase }: Storage, { root, options }: Installation) {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database, root, options })
  const cookie = await signUp(daemon, email, password)
  // One call at a time: two concurrent hashes slow each other down by sharing memory, and two updates of a row wait.
  const send = (path: string, body: object): Target => ({ ...post(daemon, path, body), connections: 1 })
  const update = send('/update-user', { name: 'Bench [<id>]' })
  const targets = {
    ok: { url: `${daemon.url}/ok`, pid: daemon.pid },
    'get-session': get(daemon, '/get-session', cookie),
    'sign-in': send('/sign-in/email', { email, password }),
    'sign-up': send('/sign-up/email', { name: 'Bench', email: 'bench-[<id>]@example.com', password }),
    'update-user': { ...update, headers: { ...update.headers, cookie } },
  }
  return { plain: { daemon, database, session: { cookie } }, targets }
}

async function openCached({ freshDatabase }: Storage, { root, options }: Installation) {
  const daemon = await startDaemon({ database: await freshDatabase(), root, options })
  return { 'get-session-cached': get(daemon, '/get-session', await signUp(daemon, email, password)) }
}

async function openLists({ freshDatabase }: Storage, { root, options }: Installation) {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database, root, options, users: await writeUsers(9_999) })
  const cookie = await signUp(daemon, email, password)
  for (const slug of ['one', 'two', 'three', 'four', 'five']) {
    const { url, headers, body } = post(daemon, '/organization/create', { name: slug, slug })
    const created = await fetch(url, { method: 'POST', headers: { ...headers, cookie }, body })
    if (!created.ok) throw new Error(`The organization was not created: ${await created.text()}`)
  }
  const connection = await createConnection(database)
  await connection.query(`update user set role = 'admin' where email = ?`, [email])
  await connection.query('analyze table user')
  await connection.end()
  return {
    'organization-list': get(daemon, '/organization/list', cookie),
    'list-users': get(daemon, '/admin/list-users', cookie),
  }
}

/** @returns a file that `latchkey import users` reads */
async function writeUsers(count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-users-'))
  registerCleanup(() => rm(folder, { recursive: true }))
  const lines = Array.from({ length: count }, (_, number) =>
    JSON.stringify({ user: { email: `user${number}@example.com`, name: `User ${number}` }, accounts: [] }),
  )
  const file = join(folder, 'users.ndjson')
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}
