/** Reads the body of a POST, up to a maximum size, and parses body, query and path values by the route's schemas (contract 00 §2). */
import type { z } from 'zod'
import { ApiError, type ErrorEntry, errors, parameterError } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import { isRecord } from '../lib/objects.ts'
import { isWellFormed } from '../lib/text.ts'
import type { CallRequest } from './request.ts'
import type { MatchedRoute } from './routing.ts'

/** Bounds of what is parsed before a client is known (ASVS 15.2.2). No call needs a tenth of them. */
const maxFormBytes = 65_536
const maxFormFields = 100
const maxQueryKeys = 64

/** The parsers by media type; any other body is ignored. */
const parsers: Readonly<Record<string, (source: BodySource, contentType: string) => Promise<unknown>>> = {
  'application/json': async (source) => JSON.parse(await source.text()),
  'application/x-www-form-urlencoded': async (source) => parseForm(await source.text()),
  'multipart/form-data': async (source, contentType) => parseMultipart(await source.arrayBuffer(), contentType),
}
type BodySource = Pick<Response, 'text' | 'arrayBuffer'>

/**
 * @param maxSize bytes; forms have a smaller maximum
 * @returns a function that @throws ApiError PAYLOAD_TOO_LARGE, and VALIDATION_ERROR for a body that is malformed or incomplete
 */
export function createBodyReader(maxSize: number): (request: CallRequest) => Promise<unknown> {
  const maxFormSize = Math.min(maxSize, maxFormBytes)
  return async (request) => {
    const { body } = request.received
    if (body instanceof ApiError) throw body
    if (body !== undefined) return body
    const contentType = request.header('content-type') ?? ''
    const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const limit = mediaType === 'application/json' ? maxSize : maxFormSize
    const length = lengthOf(request)
    if (length !== undefined && length > (Object.hasOwn(parsers, mediaType) ? limit : maxSize))
      throw new ApiError(errors.PAYLOAD_TOO_LARGE)
    const parse = Object.hasOwn(parsers, mediaType) && !isAbsent(request, length) ? parsers[mediaType] : undefined
    try {
      // Node reads no more than the announced length.
      return await parse?.(length === undefined ? await readChunks(request, limit) : request.standard(), contentType)
    } catch (error) {
      if (error instanceof ApiError) throw error
      // A client that disconnects in the middle of a body made a bad request; it is not an unexpected failure.
      const isClientError = error instanceof SyntaxError || request.received.incoming?.complete === false
      throw isClientError ? parameterError(errors.VALIDATION_ERROR, [], error) : error
    }
  }
}

/** The announced length in bytes; undefined without one. A transfer coding overrides it (RFC 9112 §6.3). */
function lengthOf(request: IncomingRequest): number | undefined {
  const length = request.header('content-length')
  return length === undefined || request.header('transfer-encoding') !== undefined ? undefined : Number(length)
}

/** Without a length there is no body (RFC 9112 §6.3). The content type does not decide, because clients send one with every POST. */
const isAbsent = (request: CallRequest, length: number | undefined): boolean =>
  // A request without Node's own objects, as in tests, lacks the transfer headers too.
  length === 0 ||
  (length === undefined && request.received.incoming !== undefined && request.header('transfer-encoding') === undefined)

/** @throws ApiError PAYLOAD_TOO_LARGE as soon as more than `limit` bytes have come */
async function readChunks(request: CallRequest, limit: number): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  // What else comes is read and dropped after the response: a closed connection could take the response with it.
  const received: AsyncIterable<Uint8Array<ArrayBuffer>> | undefined = request.received.incoming?.iterator({
    destroyOnReturn: false,
  })
  for await (const chunk of received ?? request.standard().body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new ApiError(errors.PAYLOAD_TOO_LARGE)
    chunks.push(chunk)
  }
  return new Response(Buffer.concat(chunks))
}

function parseForm(text: string): Record<string, string> {
  checkFieldCount(countOf('&', text) + 1)
  return Object.fromEntries(new URLSearchParams(text))
}

/** Reads text fields only, because no call accepts a file. */
async function parseMultipart(bytes: ArrayBuffer, contentType: string): Promise<Record<string, string>> {
  // Of any boundary: the parser could read another one from the content type than a pattern here. The last delimiter ends the body.
  checkFieldCount(countOf('\r\n--', `\r\n${Buffer.from(bytes).toString('latin1')}`) - 1)
  const fields = await new Response(bytes, { headers: { 'content-type': contentType } }).formData().catch((error: unknown) => {
    throw new SyntaxError('The multipart body is malformed', { cause: error })
  })
  return Object.fromEntries([...fields].filter((field): field is [string, string] => typeof field[1] === 'string'))
}

/** Counted before parsing, because a parser creates objects for each field. */
function checkFieldCount(count: number): void {
  if (count > maxFormFields) throw new SyntaxError(`A form has at most ${maxFormFields} fields`)
}

function countOf(part: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1
  return count
}

/** The input of a call as sent. Its query is parsed only when it is needed. */
export interface SentInput {
  readonly query: () => Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The same code with the text for a query (contract 00 §3). */
const invalidQuery: ErrorEntry = { ...errors.VALIDATION_ERROR, message: 'Invalid query parameters' }

/**
 * Names the members that a strict part of the input does not have, when they look like names.
 * @returns null when there is none
 */
function unknownMembers(issues: readonly z.core.$ZodIssue[]): string | null {
  const names = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  )
  const shown = names.filter((name) => /^[\w.]{1,100}$/.test(name)).slice(0, 8)
  return shown.length > 0 ? shown.join(', ') : null
}

/** @throws ApiError VALIDATION_ERROR, which names the parameters, and never repeats their values: one may be a password */
export function parseInput({ route, params }: MatchedRoute, sent: SentInput) {
  const body = route.body ? parseBy(route.body, sent.body, errors.VALIDATION_ERROR) : undefined
  const query = route.query ? parseBy(route.query, sent.query(), invalidQuery) : undefined
  return { body, query, params: route.params ? parseBy(route.params, params, invalidQuery) : undefined }
}

function parseBy(schema: z.ZodType, value: unknown, entry: ErrorEntry): unknown {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const unknown = unknownMembers(parsed.error.issues)
    const named = unknown === null ? entry : { ...entry, message: `${entry.message}: ${unknown}` }
    const names = invalidParameters(parsed.error)
    throw parameterError(named, names.length > 0 || isRecord(value) ? names : requiredParameters(schema))
  }
  if (!isWellFormed(value)) throw parameterError(entry, malformedMembers(value))
  return parsed.data
}

/** A client may send any number of wrong parameters. */
const mostNamed = 10
const longestName = 64

/** The parameters that are wrong, such as `data.seats`; never their values. A name that no schema has is one that the client sent. */
function invalidParameters({ issues }: z.ZodError): string[] {
  const names = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  )
  return namedParameters(names.map((path) => path.join('.')))
}

/** What an input has to be that is not an object at all: its required members, else the body. */
function requiredParameters(schema: z.ZodType): string[] {
  const { error } = schema.safeParse({})
  const names = error ? invalidParameters(error) : []
  return names.length > 0 ? names : ['body']
}

/** The members that contain a text which is not well-formed Unicode. */
const malformedMembers = (value: unknown): string[] =>
  namedParameters(Object.entries(Object(value)).flatMap(([name, member]) => (isWellFormed(member) ? [] : [name])))

function namedParameters(names: readonly string[]): string[] {
  const shown = names.map((name) => name.slice(0, longestName)).filter((name) => name !== '' && name.isWellFormed())
  return [...new Set(shown)].slice(0, mostNamed)
}

/** @throws ApiError VALIDATION_ERROR for more parameters than any call has; counted before they are parsed */
export function checkQuery(request: IncomingRequest): void {
  if (countOf('&', request.search()) >= maxQueryKeys) throw parameterError(invalidQuery, [])
}

/** Values of repeated keys become a list; others stay strings. */
export function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  if (search.size === 0) return {}
  const values = new Map<string, string | string[]>()
  for (const [key, value] of search) {
    const known = values.get(key)
    if (known === undefined) values.set(key, value)
    else if (Array.isArray(known)) known.push(value)
    else values.set(key, [known, value])
  }
  return Object.fromEntries(values)
}
