/** Several workers and no Redis: the supervisor counts for all of them, and is asked by process messages. */
import type { RateLimitCount, RateLimitDecision, RateLimitRule, RateLimitStore } from '../../core/ports.ts'
import { isObject } from '../../lib/is-object.ts'

interface Take {
  readonly type: 'rate-limit'
  readonly id: number
  readonly key: string
  readonly rule: RateLimitRule
}
interface Look {
  readonly type: 'rate-limit-counts'
  readonly id: number
  readonly keys: readonly string[]
  /** Forget them. */
  readonly removes: boolean
}

export type RateLimitAnswer =
  | ({ readonly type: 'rate-limit-decision'; readonly id: number } & RateLimitDecision)
  | {
      readonly type: 'rate-limit-counted'
      readonly id: number
      readonly counts: readonly (RateLimitCount | null)[]
      readonly removed: number
    }

/** The part of `process` by which a worker speaks with its supervisor. */
export interface SupervisorChannel {
  send?(message: object, handle: undefined, options: undefined, callback: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
}

interface Pending {
  readonly resolve: (answer: RateLimitAnswer) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** @param deadline milliseconds until a question without an answer is rejected */
export function createSupervisorRateLimits(options: { channel: SupervisorChannel; deadline?: number }): RateLimitStore {
  const { ask, close } = openQuestions(options)

  async function look(keys: readonly string[], removes: boolean) {
    const answer = await ask((id): Look => ({ type: 'rate-limit-counts', id, keys, removes }))
    if (answer.type !== 'rate-limit-counted') throw new Error('The supervisor gave another answer')
    return answer
  }

  return {
    isShared: false,
    take: async (key, rule) => {
      const { window, max } = rule
      const answer = await ask((id): Take => ({ type: 'rate-limit', id, key, rule: { window, max } }))
      if (answer.type !== 'rate-limit-decision') throw new Error('The supervisor gave another answer')
      return { allowed: answer.allowed, retryAfter: answer.retryAfter }
    },
    find: async (keys) => [...(await look(keys, false)).counts],
    delete: async (keys) => (await look(keys, true)).removed,
    close: async () => close(),
  }
}

function openQuestions({ channel, deadline = 500 }: { channel: SupervisorChannel; deadline?: number }) {
  const questions = new Map<number, Pending>()
  let lastId = 0

  function settle(id: number): Pending | undefined {
    const question = questions.get(id)
    clearTimeout(question?.timer)
    questions.delete(id)
    return question
  }
  const fail = (id: number, reason: string, cause?: unknown) => settle(id)?.reject(new Error(reason, { cause }))
  const listen = (message: unknown) => {
    if (isAnswer(message)) settle(message.id)?.resolve(message)
  }
  channel.on('message', listen)

  return {
    ask: (makeQuestion: (id: number) => Take | Look): Promise<RateLimitAnswer> =>
      new Promise((resolve, reject) => {
        lastId += 1
        const id = lastId
        const timer = setTimeout(() => fail(id, 'The supervisor did not answer in time'), deadline)
        questions.set(id, { resolve, reject, timer })
        if (!channel.send) return fail(id, 'There is no supervisor')
        // Without the callback a closed channel would be an error event of the whole process.
        channel.send(makeQuestion(id), undefined, undefined, (error) => {
          if (error) fail(id, 'The supervisor cannot be reached', error)
        })
      }),
    close: () => {
      channel.off('message', listen)
      for (const id of [...questions.keys()]) fail(id, 'The store was closed')
    },
  }
}

/**
 * The supervisor's side.
 * @returns what to send back to the worker; null for a message that is no such question
 */
export async function answerRateLimit(message: unknown, store: RateLimitStore): Promise<RateLimitAnswer | null> {
  if (isTake(message)) {
    const { allowed, retryAfter } = await store.take(message.key, message.rule)
    return { type: 'rate-limit-decision', id: message.id, allowed, retryAfter }
  }
  if (!isLook(message)) return null
  const { id, keys, removes } = message
  const counts = await store.find(keys)
  return { type: 'rate-limit-counted', id, counts, removed: removes ? await store.delete(keys) : 0 }
}

const isAnswer = (message: unknown): message is RateLimitAnswer => {
  if (!isObject(message) || typeof message.id !== 'number') return false
  if (message.type === 'rate-limit-counted') return Array.isArray(message.counts) && typeof message.removed === 'number'
  const { type, allowed, retryAfter } = message
  return type === 'rate-limit-decision' && typeof allowed === 'boolean' && typeof retryAfter === 'number'
}

const isTake = (message: unknown): message is Take =>
  isObject(message) &&
  message.type === 'rate-limit' &&
  typeof message.id === 'number' &&
  typeof message.key === 'string' &&
  isObject(message.rule) &&
  typeof message.rule.window === 'number' &&
  typeof message.rule.max === 'number'

const isLook = (message: unknown): message is Look =>
  isObject(message) &&
  message.type === 'rate-limit-counts' &&
  typeof message.id === 'number' &&
  typeof message.removes === 'boolean' &&
  Array.isArray(message.keys) &&
  message.keys.every((key) => typeof key === 'string')
