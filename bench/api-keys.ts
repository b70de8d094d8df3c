/** Measures what the verification of an API key costs, as the credential of a request and for a server of the operator. */
import { createKey } from '../src/features/api-keys/index.ts'
import { findUserByEmail } from '../src/features/users/index.ts'
import { openBenchApp } from './app.ts'
import { startBaseline } from './calls.ts'
import { type Daemon, privateToken, signUp, startDaemon } from './daemon.ts'
import { type Effort, interleave, median, type Target } from './load.ts'
import { print, printCosts } from './report.ts'
import type { Storage } from './storage.ts'

/** Of one application: requests with one key wait for each other at its row. */
const keys = 64
const bare = 'bare node:http'
const email = 'bench@example.com'

/** Keys that no limit rejects; every second one has limits, whose counting is measured too. */
async function createKeys(database: string): Promise<string[]> {
  const { app, close } = await openBenchApp(database)
  try {
    const user = await findUserByEmail(app, email)
    if (!user) throw new Error('The user does not exist')
    const limits = { remaining: 1_000_000_000, rateLimitMax: 1_000_000_000, rateLimitTimeWindow: 3_600_000 }
    const created: string[] = []
    for (let count = 0; count < keys; count += 1)
      created.push((await createKey(app, user, count % 2 ? limits : { rateLimitEnabled: false })).key)
    return created
  } finally {
    await close()
  }
}

export async function measureApiKeys({ freshDatabase }: Storage, effort: Effort): Promise<void> {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database, admin: true, apiKeys: true })
  const baseline = await startBaseline('bare.ts')
  try {
    const cookie = await signUp(daemon, email, 'correct horse battery')
    const targets = { [bare]: baseline.target, ...targetsOf(await createKeys(database), cookie, daemon) }
    const taken = await interleave(targets, effort)
    printCosts(taken, Object.fromEntries(Object.keys(targets).map((name) => [name, bare])))
    for (const [name, rounds] of taken) {
      const share = median(rounds.map(({ cpu }, round) => (taken.get(bare)?.[round]?.cpu ?? Number.NaN) / cpu))
      if (name !== bare) print(`${name}: ${share.toFixed(3)} of ${bare}, by CPU time`)
    }
  } finally {
    baseline.stop()
    await daemon.stop()
  }
}

function targetsOf(created: readonly string[], cookie: string, { url, privateURL, pid }: Daemon): Record<string, Target> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${privateToken}` }
  const verify = { url: `${privateURL}/api-key/verify`, pid, method: 'POST', headers } as const
  const getSession = { url: `${url}/get-session`, pid }
  return {
    'get-session, cookie': { ...getSession, headers: { cookie } },
    'get-session, one key': { ...getSession, headers: { 'x-api-key': created[0] ?? '' } },
    'get-session, many keys': { ...getSession, variants: created.map((key) => ({ headers: { 'x-api-key': key } })) },
    'api-key/verify, one key': { ...verify, body: JSON.stringify({ key: created[0] }) },
    'api-key/verify, many keys': { ...verify, variants: created.map((key) => ({ headers, body: JSON.stringify({ key }) })) },
  }
}
