/** Continuous calls over reused and new connections, until stopped. */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Between two calls of a client. Without it the load takes the processor from the workers that start; a reused connection is
 * idle for that long, so that a daemon that closes it also meets a call on its way.
 */
const pauseMs = 20

export interface Load {
  /** @returns the number of responses with 200, and the failures of the other calls */
  stop(): Promise<{ readonly answered: number; readonly failures: readonly string[] }>
}

/** @param kept, fresh number of clients with reused and with new connections */
export function startLoad(url: string, { kept, fresh }: { kept: number; fresh: number }): Load {
  const failures: string[] = []
  let answered = 0
  let isOver = false
  const agent = new Agent({ keepAlive: true, maxSockets: kept })

  async function caller(options: { agent: Agent } | { agent: false }): Promise<void> {
    while (!isOver) {
      const outcome = await callOnce(url, options)
      if (outcome === null) answered += 1
      else failures.push(outcome)
      await pause(pauseMs)
    }
  }
  const callers = [
    ...Array.from({ length: kept }, () => caller({ agent })),
    ...Array.from({ length: fresh }, () => caller({ agent: false })),
  ]
  return {
    stop: async () => {
      isOver = true
      await Promise.all(callers)
      agent.destroy()
      return { answered, failures }
    },
  }
}

/** @returns null for a complete response with 200 */
function callOnce(url: string, options: { agent: Agent } | { agent: false }): Promise<string | null> {
  return new Promise((resolve) => {
    const sent = get(url, { ...options, timeout: 10_000 }, (incoming) => {
      incoming.resume()
      incoming.on('end', () => resolve(incoming.statusCode === 200 ? null : `status ${incoming.statusCode}`))
      incoming.on('error', (error) => resolve(error.message))
    })
    sent.on('timeout', () => sent.destroy(new Error('no response')))
    sent.on('error', (error) => resolve(error.message))
  })
}
