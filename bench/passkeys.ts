/** Measures the CPU time of the daemon per sign-in with a passkey: the options, and the verification with its new session. */
import { createAuthenticator } from '../tests/kit/authenticator.ts'
import { cookiesOf, countedOnly, type Daemon, signUp, startDaemon } from './daemon.ts'
import { type Effort, median } from './load.ts'
import { cpuMicroseconds } from './process.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

/** Milliseconds of CPU time. */
const aim = 4

/** As many as stay below `session.maxPerUser` in all rounds, so that no sign-in ends another session. */
const [users, signInsPerUser] = [100, 3]
const signInsPerRound = users * signInsPerUser
const origin = 'http://localhost:4000'
const options = { passkey: 'true', rateLimit: countedOnly(['/passkey/*', '/sign-up/*']) }

const send = ({ url }: Daemon, path: string, body: object, cookie: string) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin },
    body: JSON.stringify(body),
  })

export async function measurePasskeys(storage: Storage, { rounds }: Effort): Promise<void> {
  const daemon = await startDaemon({ database: await storage.freshDatabase(), options })
  const authenticators: Authenticator[] = []
  for (let user = 0; user < users; user += 1) authenticators.push(await register(daemon, `user-${user}@example.com`))
  const requestOptions = () => fetch(`${daemon.url}/passkey/generate-authenticate-options`)
  const [asked, verified]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    const prepared: Awaited<ReturnType<typeof prepare>>[] = []
    const optionsTime = await timeOf(daemon, async (position) => {
      prepared.push(await prepare(await requestOptions(), authenticators[position % users]))
    })
    const verifyTime = await timeOf(daemon, async (position) => {
      const { cookie, response } = prepared[position] ?? { cookie: '', response: {} }
      const { status } = await send(daemon, '/passkey/verify-authentication', { response }, cookie)
      if (status !== 200) throw new Error(`A sign-in responded with ${status}`)
    })
    // The first round warms up.
    if (round === 0) continue
    asked.push(optionsTime)
    verified.push(verifyTime)
  }
  const both = median(asked.map((time, round) => time + (verified[round] ?? 0)))
  print(`options: ${median(asked).toFixed(2)} ms; verification: ${median(verified).toFixed(2)} ms`)
  print(`sign-in with a passkey: ${both.toFixed(2)} ms of CPU time (aim: ${aim})`)
}

/** Milliseconds per call. */
async function timeOf({ pid }: Daemon, call: (position: number) => Promise<void>): Promise<number> {
  const before = cpuMicroseconds(pid)
  for (let position = 0; position < signInsPerRound; position += 1) await call(position)
  return (cpuMicroseconds(pid) - before) / 1000 / signInsPerRound
}

type Authenticator = ReturnType<typeof createAuthenticator>

async function prepare(response: Response, authenticator: Authenticator | undefined) {
  return {
    cookie: cookiesOf(response),
    response: authenticator?.get((await response.json()) as { challenge: string }, { origin }),
  }
}

async function register(daemon: Daemon, email: string) {
  const session = await signUp(daemon, email, 'correct horse battery')
  const created = await fetch(`${daemon.url}/passkey/generate-register-options`, { headers: { cookie: session } })
  const authenticator = createAuthenticator()
  const response = authenticator.create((await created.json()) as Parameters<typeof authenticator.create>[0], { origin })
  const added = await send(daemon, '/passkey/verify-registration', { response }, `${session}; ${cookiesOf(created)}`)
  if (added.status !== 200) throw new Error(`The registration responded with ${added.status}: ${await added.text()}`)
  return authenticator
}
