/** The floor of calls with a password: argon2id alone, by the implementation in use. Prints its port; `/verify` and `/hash` are its calls. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHasher } from '../src/adapters/hasher.ts'

const hasher = await createHasher(
  { memory: 19_456, iterations: 2, parallelism: 1, queue: 100 },
  { count: () => {}, observe: () => {} },
)
const password = 'correct horse battery'
const stored = await hasher.hash(password)

const server = createServer((request, response) => {
  const work = request.url === '/verify' ? hasher.verify(stored, password) : hasher.hash(password)
  void work.then(() => response.end())
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
