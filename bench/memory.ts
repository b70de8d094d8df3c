/** Resident memory of a worker: under mixed calls, and while it reads many large bodies. The aims: 180 MiB and 300 MiB. */
import { Agent, request } from 'node:http'
import { ownRoot, post } from './daemon.ts'
import { type Effort, loadRound } from './load.ts'
import { print } from './report.ts'
import { openCalls, readCallNames } from './standard-calls.ts'
import type { Storage } from './storage.ts'

const bodies = 200
/** The default of `server.bodyLimit`. */
const bodyBytes = 131_072

/** @param minutes of mixed calls */
export async function measureMemory(storage: Storage, { rounds }: Effort, minutes: number): Promise<void> {
  const names = readCallNames('ok,get-session,sign-in,sign-up,update-user')
  const { plain, targets, stop } = await openCalls(storage, { name: 'this source', root: ownRoot, options: {} }, names)
  const { daemon } = plain
  print(`one worker at rest: ${daemon.memory()}`)
  const end = performance.now() + minutes * 60_000
  const repeat = async (target: (typeof targets)[keyof typeof targets]) => {
    while (target && performance.now() < end) await loadRound(target, Math.min(10, minutes * 60), 8)
  }
  await Promise.all(Object.values(targets).map(repeat))
  print(`after ${minutes} minutes of ${names.join(', ')}: ${daemon.memory()}`)
  const { url, headers } = post(daemon, '/sign-in/email', {})
  for (let round = 0; round < rounds; round += 1) await sendBodies(url, headers)
  print(`after ${rounds} times ${bodies} bodies of ${bodyBytes / 1024} KiB: ${daemon.memory()}`)
  await stop()
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
