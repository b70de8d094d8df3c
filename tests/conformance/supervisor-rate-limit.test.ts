import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const source = (path: string) => JSON.stringify(new URL(`../../src/adapters/rate-limit/${path}`, import.meta.url).href)

/** Prints how many calls each worker was allowed, then how many after the supervisor has stopped answering. */
const program = `
  import cluster from 'node:cluster'
  import { createMemoryRateLimits, createSupervisorRateLimits, respondToRateLimit } from ${source('local-rate-limit.ts')}
  const rule = { window: 60, max: 3 }
  if (cluster.isPrimary) {
    const memory = createMemoryRateLimits({ now: () => new Date() })
    const workers = [cluster.fork(), cluster.fork()]
    let ready = 0
    let done = 0
    cluster.on('message', async (worker, message) => {
      const answer = await respondToRateLimit(message, memory)
      if (answer) worker.send(answer)
      if (message === 'ready' && ++ready === 2) for (const each of workers) each.send('go')
      if (typeof message.allowed === 'number') {
        console.log(message.allowed)
        if (++done === 2) for (const each of workers) each.disconnect()
      }
    })
  } else {
    const store = createSupervisorRateLimits({ channel: process, timeoutMs: 20_000 })
    process.on('message', async (message) => {
      if (message !== 'go') return
      const decisions = await Promise.all(Array.from({ length: 200 }, () => store.take('a', rule)))
      process.send({ allowed: decisions.filter((decision) => decision.allowed).length })
    })
    process.once('disconnect', async () => {
      const error = await store.take('a', rule).catch((reason) => reason)
      console.log(error.message)
      await store.close()
    })
    process.send('ready')
  }`

test('counts calls of all workers together, and reports a lost supervisor', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-supervisor-'))
  try {
    const file = join(folder, 'supervisor.mjs')
    await writeFile(file, program)
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file])
    const lines = stdout.trim().split('\n')
    expect(stderr).toBe('')
    expect(Number(lines[0]) + Number(lines[1])).toBe(3)
    expect(lines.slice(2)).toEqual(Array(2).fill('The supervisor cannot be reached'))
  } finally {
    await rm(folder, { recursive: true })
  }
})
