/** Resident memory of a worker: under load, and while it reads many large bodies. The aims: 200 MiB and 300 MiB. */
import { Agent, request } from 'node:http'
import { post, signUp, startDaemon } from './daemon.ts'
import { type Effort, loadRound } from './load.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

const bodies = 200
/** The default of `server.bodyLimit`. */
const bodyBytes = 131_072

export async function measureMemory({ freshDatabase }: Storage, { rounds, seconds }: Effort): Promise<void> {
  const daemon = await startDaemon({ database: await freshDatabase() })
  try {
    const cookie = await signUp(daemon, 'bench@example.com', 'correct horse battery')
    print(`one worker at rest: ${daemon.memory()}`)
    await loadRound({ url: `${daemon.url}/get-session`, pid: daemon.pid, headers: { cookie } }, rounds * seconds, 32)
    print(`after ${rounds * seconds} s of get-session: ${daemon.memory()}`)
    const { url, headers } = post(daemon, '/sign-in/email', {})
    for (let round = 0; round < rounds; round += 1) await sendBodies(url, headers)
    print(`after ${rounds} times ${bodies} bodies of ${bodyBytes / 1024} KiB: ${daemon.memory()}`)
  } finally {
    await daemon.stop()
  }
}

/** All concurrently, over connections of their own. */
async function sendBodies(url: string, headers: Record<string, string>): Promise<void> {
  const known = JSON.stringify({ email: 'bench@example.com', password: 'x', filler: '' })
  const body = known.replace('""', `"${'x'.repeat(bodyBytes - known.length)}"`)
  const agent = new Agent({ maxSockets: bodies })
  const send = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, agent }, (response) => response.resume().on('end', resolve))
      sent.on('error', reject).end(body)
    })
  await Promise.all(Array.from({ length: bodies }, send))
  agent.destroy()
}
