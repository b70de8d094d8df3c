/** Numbered logs in Redis: the last number under one key, each entry under one of its own, so that it can expire. */
import { createHash } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import type { AppendOptions, LogTail } from '../../core/ports.ts'

/**
 * Number and entry in one step. The key of the entry has the hash tag of the log's, so that a cluster keeps both in one
 * place. Numbers are written without an exponent, which Lua would use above 10^14.
 */
const script = `
local number = redis.call('INCR', KEYS[1])
local least = tonumber(number == 1 and ARGV[2] or ARGV[3])
if number < least then
  number = least
  redis.call('SET', KEYS[1], string.format('%.0f', number))
end
redis.call('SET', KEYS[1] .. ':' .. string.format('%.0f', number), ARGV[1], 'PX', ARGV[4])
return number`
const sha = createHash('sha1').update(script).digest('hex')

/** Entries that are asked for together with the last number, so that a few new ones cost no second question. */
const ahead = 4
const longestTail = 1000

type Client = Redis | Cluster

/** The key of a log; the braces are a cluster's hash tag. */
export const logKey = (prefix: string, log: string): string => `${prefix}{${log}}`

export async function appendEntry(
  client: Client,
  key: string,
  entry: string,
  { first, above, ttl }: AppendOptions,
): Promise<number> {
  const values = [entry, first, above + 1, Math.ceil(ttl * 1000)]
  const number = await client.evalsha(sha, 1, key, ...values).catch((error: unknown) => {
    // A server that was restarted, or a node that never saw the script; EVAL leaves it there for the next call.
    if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(script, 1, key, ...values)
    throw error
  })
  if (typeof number !== 'number') throw new Error('Redis gave an answer that is no number')
  return number
}

export async function readTail(client: Client, key: string, after: number | null): Promise<LogTail> {
  if (after === null) return { last: numberOf(await client.get(key)), entries: [] }
  const numbered = (from: number, count: number) => Array.from({ length: count }, (_, offset) => `${key}:${from + offset}`)
  const [text = null, ...near] = await client.mget([key, ...numbered(after + 1, ahead)])
  const last = numberOf(text)
  if (last === null || last <= after) return { last, entries: [] }
  const count = last - after
  if (count <= ahead) return { last, entries: near.slice(0, count) }
  if (count > longestTail) return { last, entries: null }
  return { last, entries: [...near, ...(await client.mget(numbered(after + 1 + ahead, count - ahead)))] }
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))
