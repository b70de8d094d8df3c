/** A process that migrates, which a test can kill at a statement. Its only argument is a JSON object. */
import { flushCompileCache } from 'node:module'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { down, push, type StatementEvent, up } from '../../src/migrate/index.ts'
import { after } from './schemas.ts'

export interface ProcessOptions {
  readonly url: string
  readonly dir: string
  readonly direction: 'up' | 'down' | 'push'
  readonly lockTimeout: number
  readonly lockTtl: number
  /** Where to die: the phase of the first statement that gets there, counted from 0. */
  readonly killAt?: { readonly phase: StatementEvent['phase']; readonly nth: number }
}

const { url, dir, direction, lockTimeout, lockTtl, killAt }: ProcessOptions = JSON.parse(process.argv[2] ?? '{}')
const { db, dialect, close } = openDatabase({ url, poolSize: 3, connectTimeout: 5000, queryTimeout: 10_000 })
// Before a test kills this process: the cache is written at a regular exit only.
flushCompileCache()
let passed = 0
const onStatement = ({ phase, change }: StatementEvent) => {
  process.stdout.write(`${JSON.stringify({ phase, change })}\n`)
  if (phase !== killAt?.phase) return
  if (passed === killAt.nth) process.kill(process.pid, 'SIGKILL')
  passed += 1
}
if (direction === 'push') {
  const { changes } = await push({ db, dialect, schema: after })
  process.stdout.write(`${JSON.stringify({ changes: changes.length })}\n`)
} else {
  const run = direction === 'up' ? up : down
  const { applied } = await run({ db, dialect, dir, holder: `test:${process.pid}`, lockTimeout, lockTtl, onStatement })
  process.stdout.write(`${JSON.stringify({ applied: applied.map(({ name, resumed }) => ({ name, resumed })) })}\n`)
}
await close()
