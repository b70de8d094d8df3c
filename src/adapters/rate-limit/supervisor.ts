/** Several workers and no Redis: the supervisor counts for all of them, and is asked by process messages. */
import type { RateLimitDecision, RateLimitRule, RateLimitStore } from '../../core/ports.ts'

interface Question {
  readonly type: 'rate-limit'
  readonly id: number
  readonly key: string
  readonly rule: RateLimitRule
}

export interface RateLimitAnswer extends RateLimitDecision {
  readonly type: 'rate-limit-decision'
  readonly id: number
}

/** The part of `process` by which a worker speaks with its supervisor. */
export interface SupervisorChannel {
  send?(message: object, handle: undefined, options: undefined, callback: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
}

interface Pending {
  readonly resolve: (decision: RateLimitDecision) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** @param deadline milliseconds until a question without an answer is rejected */
export function createSupervisorRateLimits({
  channel,
  deadline = 500,
}: {
  channel: SupervisorChannel
  deadline?: number
}): RateLimitStore {
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
    if (isAnswer(message)) settle(message.id)?.resolve({ allowed: message.allowed, retryAfter: message.retryAfter })
  }
  channel.on('message', listen)

  return {
    take: (key, rule) =>
      new Promise((resolve, reject) => {
        lastId += 1
        const id = lastId
        const timer = setTimeout(() => fail(id, 'The supervisor did not answer in time'), deadline)
        questions.set(id, { resolve, reject, timer })
        const question: Question = { type: 'rate-limit', id, key, rule: { window: rule.window, max: rule.max } }
        if (!channel.send) return fail(id, 'There is no supervisor')
        // Without the callback a closed channel would be an error event of the whole process.
        channel.send(question, undefined, undefined, (error) => {
          if (error) fail(id, 'The supervisor cannot be reached', error)
        })
      }),
    close: async () => {
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
  if (!isQuestion(message)) return null
  const { allowed, retryAfter } = await store.take(message.key, message.rule)
  return { type: 'rate-limit-decision', id: message.id, allowed, retryAfter }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const isAnswer = (message: unknown): message is RateLimitAnswer =>
  isObject(message) &&
  message.type === 'rate-limit-decision' &&
  typeof message.id === 'number' &&
  typeof message.allowed === 'boolean' &&
  typeof message.retryAfter === 'number'

const isQuestion = (message: unknown): message is Question =>
  isObject(message) &&
  message.type === 'rate-limit' &&
  typeof message.id === 'number' &&
  typeof message.key === 'string' &&
  isObject(message.rule) &&
  typeof message.rule.window === 'number' &&
  typeof message.rule.max === 'number'
