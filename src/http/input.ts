/** Reads the body of a POST, up to a maximum size, and parses body, query and path values by the route's schemas (contract 00 §2). */
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { ApiError, type ErrorEntry, errors } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import { isWellFormed } from '../lib/text.ts'
import type { Call } from './request.ts'
import type { MatchedRoute } from './routing.ts'

/** @param maxSize bytes */
export function createBodyReader(maxSize: number): (call: Call, request: IncomingRequest) => Promise<unknown> {
  const tooLarge = () => {
    throw new ApiError(errors.PAYLOAD_TOO_LARGE, { headers: { connection: 'close' } })
  }
  const limit = bodyLimit({ maxSize, onError: tooLarge })
  return async (call, request) => {
    // Node reads no more than the announced length; the middleware would create a web stream only to read the header.
    if (call.env?.incoming && hasLength(request)) {
      if (Number(request.header('content-length')) > maxSize) tooLarge()
      return readWhole(call, request)
    }
    let body: unknown
    await limit(call, async () => {
      body = await readWhole(call, request)
    })
    return body
  }
}

const hasLength = (request: IncomingRequest): boolean =>
  request.header('content-length') !== undefined && request.header('transfer-encoding') === undefined

/** A client that disconnects in the middle of a body made a bad request; it is not an unexpected failure. */
const readWhole = (call: Call, request: IncomingRequest): Promise<unknown> =>
  read(call, request).catch((error: unknown) => {
    const { incoming } = call.env ?? {}
    throw incoming && !incoming.complete ? new ApiError(errors.VALIDATION_ERROR, { cause: error }) : error
  })

async function read(call: Call, request: IncomingRequest): Promise<unknown> {
  if (isAbsent(call, request)) return undefined
  const contentType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (contentType === 'application/json') return parseJSON(await call.req.text())
  if (contentType === 'application/x-www-form-urlencoded' || contentType === 'multipart/form-data') return parseForm(call)
  return undefined
}

/** Without a length there is no body (RFC 9112 §6.3). The content type does not decide, because clients send one with every POST. */
function isAbsent(call: Call, request: IncomingRequest): boolean {
  const length = request.header('content-length')
  if (length !== undefined) return Number(length) === 0
  // A request without Node's own objects, as in tests, lacks the transfer headers too.
  return call.env?.incoming !== undefined && request.header('transfer-encoding') === undefined
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError(errors.VALIDATION_ERROR, { cause: error })
  }
}

/** Reads text fields only, because no call accepts a file. */
async function parseForm(call: Call): Promise<Record<string, string>> {
  try {
    const fields = await call.req.parseBody()
    return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'))
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(errors.VALIDATION_ERROR, { cause: error })
  }
}

/** The input of a call as sent. Its query is parsed only when it is needed. */
export interface SentInput {
  readonly query: () => Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The same code with the text for a query (contract 00 §3). */
const invalidQuery: ErrorEntry = { ...errors.VALIDATION_ERROR, message: 'Invalid query parameters' }

/** @throws ApiError VALIDATION_ERROR, which never repeats what was sent: it may be a password */
export function parseInput({ route, params }: MatchedRoute, sent: SentInput) {
  const body = route.body ? parseBy(route.body, sent.body, errors.VALIDATION_ERROR) : undefined
  const query = route.query ? parseBy(route.query, sent.query(), invalidQuery) : undefined
  return { body, query, params: route.params ? parseBy(route.params, params, invalidQuery) : undefined }
}

function parseBy(schema: z.ZodType, value: unknown, entry: ErrorEntry): unknown {
  const parsed = schema.safeParse(value)
  if (!parsed.success || !isWellFormed(value)) throw new ApiError(entry)
  return parsed.data
}

/** Values of repeated keys become a list; others stay strings. */
export function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  if (search.size === 0) return {}
  return Object.fromEntries(
    [...new Set(search.keys())].map((key) => {
      const values = search.getAll(key)
      return [key, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}
