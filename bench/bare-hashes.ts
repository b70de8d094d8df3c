/** The baseline of the password benchmark: argon2id alone, by the implementation in use. Prints microseconds of CPU time per hash. */
import { createHasher } from '../src/adapters/hasher.ts'

const count = Number(process.argv[2])
const cost = { memory: 19_456, iterations: 2, parallelism: 1, queue: count }
const hasher = await createHasher(cost, { count: () => {}, observe: () => {} })
const password = 'correct horse battery'
const stored = await hasher.hash(password)

async function measure(once: () => Promise<unknown>): Promise<number> {
  await once()
  const before = process.cpuUsage()
  for (let done = 0; done < count; done += 1) await once()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

const verify = await measure(() => hasher.verify(stored, password))
const hash = await measure(() => hasher.hash(password))
process.stdout.write(`${JSON.stringify({ implementation: hasher.implementation, verify, hash })}\n`)
