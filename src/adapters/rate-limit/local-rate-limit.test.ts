import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { RateLimitStore } from '../../core/ports.ts'
import {
  createMemoryRateLimits,
  createSupervisorRateLimits,
  respondToRateLimit,
  type SupervisorChannel,
} from './local-rate-limit.ts'

const rule = { window: 10, max: 3 }

/** A worker's side of a channel to a supervisor; messages are copied as between processes. */
function createChannel(receive: (message: unknown, answer: (message: unknown) => void) => void) {
  const emitter = new EventEmitter()
  const answer = (message: unknown) => setImmediate(() => emitter.emit('message', structuredClone(message)))
  const channel: SupervisorChannel = {
    send: (message, _handle, _options, callback) => {
      setImmediate(() => callback(null))
      receive(structuredClone(message), answer)
      return true
    },
    on: (event, listener) => emitter.on(event, listener),
    off: (event, listener) => emitter.off(event, listener),
  }
  return { channel, emitter, answer }
}

const supervisedBy = (memory: RateLimitStore) =>
  createChannel((message, answer) => void respondToRateLimit(message, memory).then((decision) => decision && answer(decision)))

describe('a worker that counts in its supervisor', () => {
  test('counts together with the other workers', async () => {
    const memory = createMemoryRateLimits({ now: () => new Date(0) })
    const workers = [1, 2, 3].map(() => createSupervisorRateLimits({ channel: supervisedBy(memory).channel }))
    const decisions = await Promise.all(Array.from({ length: 99 }, (_, index) => workers[index % 3]?.take('a', rule)))
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(3)
    expect(decisions.at(-1)).toEqual({ allowed: false, retryAfter: 10 })
  })
  test('reads and deletes the counts of all workers', async () => {
    const memory = createMemoryRateLimits({ now: () => new Date(5) })
    const store = createSupervisorRateLimits({ channel: supervisedBy(memory).channel })
    await memory.take('a', rule)
    await memory.take('a', rule)
    expect(await store.find(['b', 'a'])).toEqual([null, { count: 2, lastRequest: 5 }])
    expect(await store.delete(['b', 'a'])).toBe(1)
    expect(await store.find(['a'])).toEqual([null])
    expect(await memory.find(['a'])).toEqual([null])
  })
  test('rejects a response of another kind', async () => {
    const wrong = [
      { type: 'rate-limit-counted', counts: [], removed: 0 },
      { type: 'rate-limit-decision', allowed: true, retryAfter: 0 },
    ]
    let asked = 0
    const { channel } = createChannel((_, answer) => answer({ ...wrong[asked++], id: asked }))
    const store = createSupervisorRateLimits({ channel })
    await expect(store.take('a', rule)).rejects.toThrow('unexpected response')
    await expect(store.find(['a'])).rejects.toThrow('unexpected response')
  })
  test('rejects a request without a response in time, and ignores a late one', async () => {
    const asked: unknown[] = []
    const { channel, answer } = createChannel((message) => asked.push(message))
    const store = createSupervisorRateLimits({ channel, timeoutMs: 5 })
    await expect(store.take('a', rule)).rejects.toThrow('in time')
    answer({ type: 'rate-limit-decision', id: 1, allowed: true, retryAfter: 0 })
    await expect(store.take('a', rule)).rejects.toThrow('in time')
    expect(asked).toMatchObject([{ id: 1 }, { id: 2 }])
  })
  test('fails immediately when the channel is closed or missing', async () => {
    const { channel } = createChannel(() => {})
    const broken: SupervisorChannel = {
      ...channel,
      send: (_message, _handle, _options, callback) => {
        callback(new Error('closed'))
        return false
      },
    }
    await expect(createSupervisorRateLimits({ channel: broken, timeoutMs: 60_000 }).take('a', rule)).rejects.toThrow(
      'cannot be reached',
    )
    const { send: _, ...silent } = channel
    await expect(createSupervisorRateLimits({ channel: silent, timeoutMs: 60_000 }).take('a', rule)).rejects.toThrow(
      'no supervisor',
    )
  })
  test('ignores messages for others', async () => {
    const { channel, emitter } = supervisedBy(createMemoryRateLimits({ now: () => new Date(0) }))
    const store = createSupervisorRateLimits({ channel })
    const taken = store.take('a', rule)
    for (const message of [
      null,
      'text',
      { type: 'other', id: 1 },
      { type: 'rate-limit-decision', id: 1 },
      { type: 'rate-limit-decision', id: 99, allowed: true, retryAfter: 0 },
    ])
      emitter.emit('message', message)
    expect(await taken).toEqual({ allowed: true, retryAfter: 0 })
  })
  test('rejects open requests when it is closed', async () => {
    const { channel, emitter } = createChannel(() => {})
    const store = createSupervisorRateLimits({ channel, timeoutMs: 60_000 })
    const taken = store.take('a', rule)
    await Promise.all([store.close(), expect(taken).rejects.toThrow('closed')])
    expect(emitter.listenerCount('message')).toBe(0)
  })
})

test.each([
  null,
  'text',
  {},
  { type: 'ready' },
  { type: 'rate-limit', id: 1, key: 'a' },
  { type: 'rate-limit', id: 1, key: 2, rule },
  { type: 'rate-limit-counts', id: 1, keys: ['a'] },
  { type: 'rate-limit-counts', id: 1, keys: [2], removes: false },
])('a message that is not about rate limits (%o) gets no response', async (message) => {
  expect(await respondToRateLimit(message, createMemoryRateLimits({ now: () => new Date(0) }))).toBeNull()
})

test('many keys take no more than the bounded memory, and the newest are still counted', async () => {
  const store = createMemoryRateLimits({ now: () => new Date(0), limit: 100 })
  const rule = { window: 60, max: 1 }
  for (let index = 0; index < 1000; index += 1) await store.take(`k${index}`, rule)
  expect(await store.take('k999', rule)).toMatchObject({ allowed: false })
  expect(await store.take('k0', rule)).toMatchObject({ allowed: true })
})
