/** Questions of the supervisor to a worker. */
import type { Worker } from 'node:cluster'
import { withDeadline } from '../lib/deadline.ts'
import type { Question, ToWorker } from './messages.ts'

export interface Questions {
  /** @throws Error when the worker has not answered within `patience` milliseconds, or has ended */
  ask(worker: Worker, about: Question, patience: number): Promise<unknown>
  settle(id: number, answer: unknown): void
  /** The worker has ended. */
  abandon(worker: Worker): void
}

interface Open {
  readonly worker: Worker
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

export function createQuestions(): Questions {
  const open = new Map<number, Open>()
  let last = 0
  return {
    ask: async (worker, about, patience) => {
      last += 1
      const id = last
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      open.set(id, { worker, resolve, reject })
      try {
        sendTo(worker, { type: 'ask', id, about })
        return await withDeadline(promise, patience, 'The worker did not answer in time')
      } finally {
        open.delete(id)
      }
    },
    settle: (id, answer) => open.get(id)?.resolve(answer),
    abandon: (worker) => {
      for (const question of open.values()) if (question.worker === worker) question.reject(new Error('The worker has ended'))
    },
  }
}

/** A worker that has just ended gets no message, and its end is noticed elsewhere. */
export function sendTo(worker: Worker, message: ToWorker | object): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => {})
}
