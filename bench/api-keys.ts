/** Measures what the verification of an API key costs, as the credential of a request and for a server of the operator. */
import { createKey } from '../src/features/api-keys/index.ts'
import { findUserByEmail } from '../src/features/users/index.ts'
import { freePort } from '../tests/kit/servers/index.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, organizations, signUp, startDaemon } from './daemon.ts'
import { startFloor } from './floors.ts'
import { type Effort, interleave, median, type Target } from './load.ts'
import { print, printCosts } from './report.ts'
import type { Storage } from './storage.ts'

/** Of each kind: the counts of one key wait for each other at its row. */
const keys = 32
const bare = 'bare node:http'
const email = 'bench@example.com'
/** Of the port for the operator's own servers. */
const privateToken = 'a token of the benchmarks'

interface Keys {
  /** A use is one read. */
  readonly unlimited: readonly string[]
  /** A use is one read and one write. */
  readonly limited: readonly string[]
}

/** Keys that no limit rejects. */
async function createKeys(database: string): Promise<Keys> {
  const { app, close } = await openBenchApp(database)
  try {
    const user = await findUserByEmail(app, email)
    if (!user) throw new Error('The user does not exist')
    const limits = { remaining: 1_000_000_000, rateLimitMax: 1_000_000_000, rateLimitTimeWindow: 3_600_000 }
    const create = async (properties: Parameters<typeof createKey>[2]) => {
      const created: string[] = []
      for (let count = 0; count < keys; count += 1) created.push((await createKey(app, user, properties)).key)
      return created
    }
    return { unlimited: await create({ rateLimitEnabled: false }), limited: await create(limits) }
  } finally {
    await close()
  }
}

export async function measureApiKeys({ freshDatabase }: Storage, effort: Effort): Promise<void> {
  const database = await freshDatabase()
  const privatePort = await freePort()
  const server = `{ private: { api: { port: ${privatePort}, token: '${privateToken}' } } }`
  const daemon = await startDaemon({ database, options: { admin: 'true', apiKey: 'true', server, ...organizations } })
  try {
    const cookie = await signUp(daemon, email, 'correct horse battery')
    const targets = { [bare]: await startFloor('bare.ts'), ...targetsOf(await createKeys(database), cookie, daemon, privatePort) }
    const taken = await interleave(targets, effort)
    printCosts(taken, Object.fromEntries(Object.keys(targets).map((name) => [name, bare])))
    for (const [name, rounds] of taken) {
      const share = median(rounds.map(({ cpu }, round) => (taken.get(bare)?.[round]?.cpu ?? Number.NaN) / cpu))
      if (name !== bare) print(`${name}: ${share.toFixed(3)} of ${bare}, by CPU time`)
    }
  } finally {
    await daemon.stop()
  }
}

function targetsOf(
  { unlimited, limited }: Keys,
  cookie: string,
  { url, pid }: Daemon,
  privatePort: number,
): Record<string, Target> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${privateToken}` }
  const current = { url: `${url}/get-session`, pid }
  const getSession = (created: readonly string[]): Target => ({
    ...current,
    variants: created.map((key) => ({ headers: { 'x-api-key': key } })),
  })
  const verify = (created: readonly string[]): Target => ({
    url: `http://127.0.0.1:${privatePort}/api/auth/api-key/verify`,
    pid,
    method: 'POST',
    variants: created.map((key) => ({ headers, body: JSON.stringify({ key }) })),
  })
  return {
    'get-session, cookie': { ...current, headers: { cookie } },
    'get-session, keys': getSession(unlimited),
    'get-session, keys with limits': getSession(limited),
    'api-key/verify, keys': verify(unlimited),
    'api-key/verify, keys with limits': verify(limited),
  }
}
