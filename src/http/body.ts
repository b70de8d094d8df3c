/** The body of a POST: bounded before it is read, and read by its content type (contract 00 §2). */
import { bodyLimit } from 'hono/body-limit'
import { ApiError, errors } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import type { Call } from './request.ts'

/** @param maxSize bytes */
export function createBodyReader(maxSize: number): (call: Call, request: IncomingRequest) => Promise<unknown> {
  const tooLarge = () => {
    throw new ApiError(errors.PAYLOAD_TOO_LARGE, { headers: { connection: 'close' } })
  }
  const limit = bodyLimit({ maxSize, onError: tooLarge })
  return async (call, request) => {
    // Node reads no more than the length that was announced; the middleware would make a web stream only to ask for it.
    if (call.env?.incoming && isAnnounced(request)) {
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

const isAnnounced = (request: IncomingRequest): boolean =>
  request.header('content-length') !== undefined && request.header('transfer-encoding') === undefined

/** Whoever goes away in the middle of a body has made a bad request, not found a fault of ours. */
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

/** No length is no body (RFC 9112 §6.3), whatever its type is said to be: clients name one for every POST. */
function isAbsent(call: Call, request: IncomingRequest): boolean {
  const length = request.header('content-length')
  if (length !== undefined) return Number(length) === 0
  // A request that comes without Node's own objects comes without the headers of its transfer too.
  return call.env?.incoming !== undefined && request.header('transfer-encoding') === undefined
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError(errors.VALIDATION_ERROR, { cause: error })
  }
}

/** Text fields only: no call takes a file. */
async function parseForm(call: Call): Promise<Record<string, string>> {
  try {
    const fields = await call.req.parseBody()
    return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'))
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(errors.VALIDATION_ERROR, { cause: error })
  }
}
