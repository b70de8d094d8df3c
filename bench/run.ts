/**
 * Runs the benchmarks: short, interleaved rounds, each compared with the baseline of the same round; medians of ratios. On noisy
 * machines, CPU time per call is more reliable than calls per second.
 *
 * npm run bench [-- --rounds 7 --seconds 2
 * --only calls,memory,passwords,help,page,growth,janitor,audit,organizations,admin-users,api-keys --users 1000000 --sessions 1000000 --members 100000]
 *
 * On MySQL instead of MariaDB: TEST_MYSQL=<folder made by tests/kit/servers/fetch-mysql.ts>
 */
import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { measureAdminUsers } from './admin-users.ts'
import { measureApiKeys } from './api-keys.ts'
import { measureAudit } from './audit.ts'
import { measureCalls } from './calls.ts'
import { latchkey } from './daemon.ts'
import { measureGrowth } from './growth.ts'
import { measureJanitor } from './janitor.ts'
import { type Effort, median } from './load.ts'
import { measureMemory } from './memory.ts'
import { measureOrganizations } from './organizations.ts'
import { measurePasswords } from './passwords.ts'
import { print } from './report.ts'
import { measureSignInPage } from './sign-in-page.ts'
import { type Storage, startStorage } from './storage.ts'

const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: 'calls,memory,passwords,help,page,growth,janitor,audit,organizations,admin-users,api-keys' },
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
    await run(process.execPath, [latchkey, '--help'])
    times.push(performance.now() - startedAt)
  }
  print(`latchkey --help: ${median(times).toFixed(0)} ms`)
}

const parts: Readonly<Record<string, (storage: Storage) => Promise<void>>> = {
  calls: (storage) => measureCalls(storage, effort),
  memory: (storage) => measureMemory(storage, effort),
  passwords: (storage) => measurePasswords(storage, effort),
  help: measureHelp,
  page: (storage) => measureSignInPage(storage, effort),
  growth: (storage) => measureGrowth(storage, effort, [10_000, Number(values.users)]),
  janitor: (storage) => measureJanitor(storage, Number(values.sessions)),
  audit: (storage) => measureAudit(storage, effort),
  organizations: (storage) => measureOrganizations(storage, effort, { members: Number(values.members), organizations: 5000 }),
  'admin-users': (storage) => measureAdminUsers(storage, effort, [10_000, Number(values.users)]),
  'api-keys': (storage) => measureApiKeys(storage, effort),
}

const storage = await startStorage()
try {
  for (const name of values.only.split(',')) {
    const part = parts[name]
    if (!part) throw new Error(`Unknown benchmark ${name}: expected one of ${Object.keys(parts).join(', ')}`)
    print(`\n${name}`)
    await part(storage)
  }
} finally {
  await storage.stop()
}
