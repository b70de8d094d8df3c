/** Counts on this machine: in the memory of this process, or by process messages in the memory of the supervisor for all workers. */
import { z } from 'zod'
import type { RateLimitStore } from '../../core/ports.ts'
import { createExpiringMap } from '../../lib/expiring-map.ts'
import { decide, type WindowRecord } from '../../lib/sliding-window.ts'

/** @param limit keys at most; those that were used the longest time ago are discarded first */
export function createMemoryRateLimits({ now, limit = 100_000 }: { now: () => Date; limit?: number }): RateLimitStore {
  const records = createExpiringMap<WindowRecord>(limit)
  return {
    isShared: false,
    take: async (key, rule) => {
      const at = now().getTime()
      const { allowed, retryAfter, record } = decide(records.get(key, at) ?? null, rule, at)
      // One millisecond longer than the window, because a request at its very end still continues the count.
      if (record) records.set(key, record, at + rule.window * 1000 + 1, at)
      return { allowed, retryAfter }
    },
    find: async (keys) => keys.map((key) => records.get(key, now().getTime()) ?? null),
    delete: async (keys) => {
      const counted = keys.filter((key) => records.get(key, now().getTime()))
      for (const key of counted) records.delete(key)
      return counted.length
    },
    close: async () => {},
  }
}

const id = z.number()
/** Other messages use the same channel, and must cost little: the type alone excludes them. */
const requestSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('rate-limit'),
    id,
    key: z.string(),
    rule: z.object({ window: z.number(), max: z.number() }),
  }),
  /** Reads counts, and deletes them if it `removes` them. */
  z.object({ type: z.literal('rate-limit-counts'), id, keys: z.array(z.string()), removes: z.boolean() }),
])
type RateLimitRequest = z.output<typeof requestSchema>

const responseSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('rate-limit-decision'), id, allowed: z.boolean(), retryAfter: z.number() }),
  z.object({
    type: z.literal('rate-limit-counted'),
    id,
    counts: z.array(z.custom<WindowRecord | null>()),
    removed: z.number(),
  }),
])
type RateLimitResponse = z.output<typeof responseSchema>

/** The part of `process` that exchanges messages with the supervisor. */
export interface SupervisorChannel {
  send?(message: object, handle: undefined, options: undefined, callback: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
}

interface Pending {
  readonly resolve: (response: RateLimitResponse) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

interface SupervisorOptions {
  readonly channel: SupervisorChannel
  /** Rejects a request without a response. Long enough that a machine which stands still for a second does not start a second count. */
  readonly timeoutMs?: number
}

export function createSupervisorRateLimits(options: SupervisorOptions): RateLimitStore {
  const { send, close } = openChannel(options)

  async function counts(keys: readonly string[], removes: boolean) {
    const response = await send((id) => ({ type: 'rate-limit-counts', id, keys: [...keys], removes }))
    if (response.type !== 'rate-limit-counted') throw new Error('The supervisor sent an unexpected response')
    return response
  }

  return {
    isShared: false,
    take: async (key, { window, max }) => {
      const response = await send((id) => ({ type: 'rate-limit', id, key, rule: { window, max } }))
      if (response.type !== 'rate-limit-decision') throw new Error('The supervisor sent an unexpected response')
      return { allowed: response.allowed, retryAfter: response.retryAfter }
    },
    find: async (keys) => (await counts(keys, false)).counts,
    delete: async (keys) => (await counts(keys, true)).removed,
    close: async () => close(),
  }
}

function openChannel({ channel, timeoutMs = 3000 }: SupervisorOptions) {
  const pending = new Map<number, Pending>()
  let lastId = 0

  function settle(id: number): Pending | undefined {
    const request = pending.get(id)
    clearTimeout(request?.timer)
    pending.delete(id)
    return request
  }
  const fail = (id: number, reason: string, cause?: unknown) => settle(id)?.reject(new Error(reason, { cause }))
  const listen = (message: unknown) => {
    const { data } = responseSchema.safeParse(message)
    if (data) settle(data.id)?.resolve(data)
  }
  channel.on('message', listen)

  return {
    send: (makeRequest: (id: number) => RateLimitRequest): Promise<RateLimitResponse> =>
      new Promise((resolve, reject) => {
        lastId += 1
        const id = lastId
        const timer = setTimeout(() => fail(id, 'The supervisor did not respond in time'), timeoutMs)
        pending.set(id, { resolve, reject, timer })
        if (!channel.send) return fail(id, 'There is no supervisor')
        // Without the callback a closed channel would emit an error event on the process.
        channel.send(makeRequest(id), undefined, undefined, (error) => {
          if (error) fail(id, 'The supervisor cannot be reached', error)
        })
      }),
    close: () => {
      channel.off('message', listen)
      for (const id of [...pending.keys()]) fail(id, 'The store was closed')
    },
  }
}

/**
 * The supervisor's side.
 * @returns the response to the worker; null for a message that is not about rate limits
 */
export async function respondToRateLimit(message: unknown, store: RateLimitStore): Promise<RateLimitResponse | null> {
  const { data: request } = requestSchema.safeParse(message)
  if (!request) return null
  const { id } = request
  if (request.type === 'rate-limit') return { type: 'rate-limit-decision', id, ...(await store.take(request.key, request.rule)) }
  const counts = await store.find(request.keys)
  return { type: 'rate-limit-counted', id, counts, removed: request.removes ? await store.delete(request.keys) : 0 }
}
