/** Calls without a pause, over connections that are kept and over fresh ones, until told to stop. */
import { Agent, get } from 'node:http'

export interface Load {
  /** Ends it. @returns how many calls were answered with 200, and what became of the others */
  stop(): Promise<{ readonly answered: number; readonly failures: readonly string[] }>
}

/** @param kept, fresh how many callers there are of each kind */
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

/** @returns null for an answer of 200 that came whole */
function callOnce(url: string, options: { agent: Agent } | { agent: false }): Promise<string | null> {
  return new Promise((resolve) => {
    const sent = get(url, { ...options, timeout: 10_000 }, (incoming) => {
      incoming.resume()
      incoming.on('end', () => resolve(incoming.statusCode === 200 ? null : `status ${incoming.statusCode}`))
      incoming.on('error', (error) => resolve(error.message))
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', (error) => resolve(error.message))
  })
}
