/**
 * Runs the benchmarks: short, interleaved rounds, each compared with the baseline of the same round; medians of ratios. On noisy
 * machines, CPU time per call is more reliable than calls per second.
 *
 * npm run bench [-- --rounds 7 --seconds 2
 * --only calls,memory,help,page,growth,janitor,incident,lock,move,move-users,audit,organizations,admin-users,api-keys,passkeys --minutes 1 --users 1000000 --sessions 1000000 --members 100000]
 * npm run bench -- --compare <git revision> [--only <calls> --starts 10]: the standard calls, compared with another revision
 * npm run bench -- --features all|each|<names> [--only <calls>]: the standard calls with features, compared with email and password only
 * npm run bench -- --check [--only <calls>]: the standard calls; exits with 1 when one is slower than bench/baseline.json permits
 * npm run bench -- --write [--only <calls>]: records the ratios in bench/baseline.json
 *
 * On MySQL instead of MariaDB: TEST_MYSQL=<folder made by tests/kit/servers/fetch-mysql.ts>
 */
import { parseArgs } from 'node:util'
import { measureAdminUsers } from './admin-users.ts'
import { measureApiKeys } from './api-keys.ts'
import { measureAudit } from './audit.ts'
import { checkBaseline, measureCalls, writeBaseline } from './calls.ts'
import { runCleanups } from './cleanup.ts'
import { compareFeatures, compareRevision } from './compare.ts'
import { ownRoot, runLatchkey } from './daemon.ts'
import { measureGrowth } from './growth.ts'
import { measureIncident } from './incident.ts'
import { measureJanitor } from './janitor.ts'
import { type Effort, median } from './load.ts'
import { measureLock } from './lock.ts'
import { measureMemory } from './memory.ts'
import { measureMove } from './moving.ts'
import { measureOrganizations } from './organizations.ts'
import { measurePasskeys } from './passkeys.ts'
import { print } from './report.ts'
import { measureSignInPage } from './sign-in-page.ts'
import { readCallNames } from './standard-calls.ts'
import { type Storage, startStorage } from './storage.ts'
import { measureUsersMove } from './users-move.ts'

const parts: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  calls: (storage) => measureCalls(storage, effort, readCallNames(undefined)),
  memory: (storage) => measureMemory(storage, effort, Number(values.minutes)),
  help: measureHelp,
  page: (storage) => measureSignInPage(storage, effort),
  growth: (storage) => measureGrowth(storage, effort, [10_000, Number(values.users)]),
  janitor: (storage) => measureJanitor(storage, Number(values.sessions)),
  incident: (storage) => measureIncident(storage, Number(values.sessions)),
  lock: measureLock,
  move: (storage) => measureMove(storage, Number(values.moved)),
  'move-users': (storage) => measureUsersMove(storage, Number(values['moved-users'])),
  audit: (storage) => measureAudit(storage, effort),
  organizations: (storage) => measureOrganizations(storage, effort, { members: Number(values.members), organizations: 5000 }),
  'admin-users': (storage) => measureAdminUsers(storage, effort, [10_000, Number(values.users)]),
  'api-keys': (storage) => measureApiKeys(storage, effort),
  passkeys: (storage) => measurePasskeys(storage, effort),
}

const { values } = parseArgs({
  options: {
    moved: { type: 'string', default: '10000' },
    'moved-users': { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    compare: { type: 'string' },
    starts: { type: 'string', default: '1' },
    features: { type: 'string' },
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '1' },
    users: { type: 'string', default: '1000000' },
    sessions: { type: 'string', default: '1000000' },
    members: { type: 'string', default: '100000' },
  },
})
const effort: Effort = { rounds: Number(values.rounds), seconds: Number(values.seconds), connections: 16 }

async function measureHelp(): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const startedAt = performance.now()
    await runLatchkey(['--help'], { cwd: ownRoot })
    times.push(performance.now() - startedAt)
  }
  print(`latchkey --help: ${median(times).toFixed(0)} ms`)
}

async function checkCalls(storage: Storage): Promise<void> {
  const ratios = await measureCalls(storage, effort, readCallNames(values.only))
  if (values.write) writeBaseline(ratios, new Date())
  else if (!checkBaseline(ratios)) process.exitCode = 1
}

async function runParts(storage: Storage): Promise<void> {
  for (const name of values.only?.split(',') ?? Object.keys(parts)) {
    const part = parts[name]
    if (!part) throw new Error(`Unknown benchmark ${name}: expected one of ${Object.keys(parts).join(', ')}`)
    print(`\n${name}`)
    await part(storage)
  }
}

const storage = await startStorage()
try {
  const comparison = {
    effort,
    starts: Number(values.starts),
    calls: readCallNames(values.compare || values.features ? values.only : undefined),
  }
  if (values.compare) await compareRevision(storage, values.compare, comparison)
  else if (values.features) await compareFeatures(storage, values.features, comparison)
  else if (values.check || values.write) await checkCalls(storage)
  else await runParts(storage)
} finally {
  await runCleanups()
}
