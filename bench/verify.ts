/** The anchor of a sign-in: bare argon2id verifications by the implementation in use. Prints microseconds of processor time for each. */
import { createHasher } from '../src/adapters/hasher.ts'

const count = Number(process.argv[2])
const cost = { memory: 19_456, iterations: 2, parallelism: 1, queue: count }
const hasher = await createHasher(cost, { count: () => {}, observe: () => {} })
const stored = await hasher.hash('correct horse battery')
await hasher.verify(stored, 'correct horse battery')
const before = process.cpuUsage()
for (let done = 0; done < count; done += 1) await hasher.verify(stored, 'correct horse battery')
const { user, system } = process.cpuUsage(before)
process.stdout.write(`${JSON.stringify({ implementation: hasher.implementation, microseconds: (user + system) / count })}\n`)
