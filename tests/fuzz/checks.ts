/** What must hold for every response, and for the daemon that sent them. */
import { existsSync, readFileSync } from 'node:fs'
import { callsOf, createDocumentCheck, type Document, type DocumentedCall } from '../kit/documented.ts'
import type { Reply } from './connection.ts'
import type { FuzzRequest } from './requests.ts'

/** How far requests get. */
export interface Tally {
  sent: number
  /** Reached the handler of a call, past the schemas of its input and the check of its access. */
  handled: number
  /** Responses by status; of a server error by its code too. */
  readonly outcomes: Map<string, number>
  /** The responses of each call: how often with which status and code. */
  readonly calls: Map<string, Map<string, number>>
}

export const createTally = (): Tally => ({ sent: 0, handled: 0, outcomes: new Map(), calls: new Map() })

/** The calls of the document that have never succeeded, with their most frequent responses. */
export function neverSucceeded(document: Document, { calls }: Tally): string[] {
  return callsOf(document).flatMap(({ method, path }) => {
    const responses = [...(calls.get(`${method} ${path}`) ?? [])].toSorted(([, one], [, other]) => other - one)
    if (responses.some(([response]) => /^(2|30\d$)/.test(response))) return []
    const most = responses.slice(0, 4).map(([response, count]) => `${count} x ${response}`)
    return [`${method} ${path}: ${most.join(', ')}`]
  })
}

/** Rejected before the handler. */
const rejectedEarly: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INVALID_ORIGIN',
  'PAYLOAD_TOO_LARGE',
  'NOT_FOUND',
])
/** Never expected, also where a call declares them for an outage. */
const failures: ReadonlySet<unknown> = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'])

/** @returns a function that @throws Error for a response that no request may get */
export function createReplyCheck(document: Document, tally: Tally) {
  const check = createDocumentCheck(document)
  const calls = new Map(callsOf(document).map((call) => [`${call.method} ${call.path}`, call]))
  return (request: FuzzRequest, reply: Reply | null): void => {
    tally.sent += 1
    if (reply === null) throw new Error('the connection was closed without a response')
    const { status, headers } = reply
    const body = parse(reply.body)
    const target = URL.parse(headers.get('location') ?? '', 'http://page.invalid')
    if (target?.hostname === 'evil.test') throw new Error(`leads to ${target}`)
    const code = Object(body).code
    const outcome = status >= 500 ? `${status} ${code}` : String(status)
    add(tally.outcomes, outcome)
    if (request.call !== null) {
      const responses = tally.calls.get(request.call) ?? new Map<string, number>()
      tally.calls.set(request.call, responses)
      // A redirect may say in its target that the call has failed.
      const isError = status >= 300 && status < 400 && /[?&]error=/.test(headers.get('location') ?? '')
      add(responses, code === undefined ? `${status}${isError ? ' error' : ''}` : `${status} ${code}`)
    }
    // To a form of a page, a call responds with a redirect, or with the page, which names the code.
    const isPage =
      request.headers.accept === 'text/html' && (status === 303 || headers.get('content-type')?.startsWith('text/html'))
    const isUnexpected = isPage
      ? [...failures].some((one) => reply.body.includes(`${one}`))
      : failures.has(code) || code === undefined
    if (status >= 500 && (request.call === null || isUnexpected))
      throw new Error(`responds with ${status}: ${reply.body.slice(0, 500)}`)
    const call: DocumentedCall | undefined = isPage || request.call === null ? undefined : calls.get(request.call)
    // With a strange value in its path, the request is one for another call or for none. HTTP itself rejects others without a code.
    const isOther = status === 431 || code === 'BAD_REQUEST' || (code === undefined && (status === 400 || status === 404))
    if (!call || isOther) return
    if (!rejectedEarly.has(code)) tally.handled += 1
    const difference = check.differs(call, { status, headers, body })
    if (difference) throw new Error(`is not as documented: ${difference}\n${reply.body.slice(0, 1000)}`)
  }
}

const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Resident memory of a process, in MiB; 0 when it has ended. */
export function memoryOf(pid: number): number {
  const file = `/proc/${pid}/status`
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? []
  return Number(kilobytes) / 1024
}
