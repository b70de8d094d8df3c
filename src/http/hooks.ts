/** The functions of the configuration before and after a call (contract 00 §2 steps 8 and 12). */
import type { App } from '../core/app.ts'
import { ApiError, findRefusal } from '../core/errors.ts'
import { isReply, type RawJson, type Reply, rawJson } from '../core/reply.ts'
import type { AfterCallHook, AfterCallResult, HookCall, HookOutcome } from '../features/index.ts'
import type { SentInput } from './input.ts'
import type { Outgoing } from './respond.ts'
import type { MountedRoute } from './routing.ts'

/** @returns null when the configuration has no hooks */
export function createCallHooks({ config }: App) {
  const { before, after } = config.hooks
  if (!before && !after) return null
  return {
    /** @returns the input with which the call continues, or the response that replaces the call */
    before: async (outgoing: Outgoing, sent: SentInput): Promise<SentInput | RawJson> => {
      const result = await before?.(describeCall(outgoing, sent))
      if (!result) return sent
      if ('response' in result) return rawJson(result.response ?? null)
      const { query, body } = result.context
      return { query: query ? () => query : sent.query, body: 'body' in result.context ? body : sent.body }
    },
    /** @returns the outcome of `work`, or the response that replaces it */
    after: async (outgoing: Outgoing, route: MountedRoute, sent: SentInput, work: () => Promise<unknown>): Promise<unknown> => {
      if (!after) return work()
      const outcome = await outcomeOf(route, work)
      const result = await runAfterHook(after, outgoing, describeCall(outgoing, sent, describeOutcome(outcome)))
      addHeaders(outgoing, result)
      if (result && 'response' in result) return rawJson(result.response ?? null)
      if (outcome instanceof ApiError) throw outcome
      return outcome
    },
  }
}

/** When the hook fails, so does the call: the cookies that it would have set are not sent. */
async function runAfterHook(after: AfterCallHook, { cookies }: Outgoing, call: HookCall & HookOutcome): Promise<AfterCallResult> {
  try {
    return await after(call)
  } catch (error) {
    cookies.discard()
    throw error
  }
}

/** The headers are made when a hook reads them, which few do. */
const describeCall = ({ request }: Outgoing, { query, body }: SentInput, outcome: HookOutcome = {}): HookCall & HookOutcome => ({
  method: request.method,
  path: request.path,
  get headers() {
    return request.standard().headers
  },
  query: query(),
  body,
  address: request.address(),
  requestId: request.id,
  ...outcome,
})

/** The outcome as the client gets it, so that a hook sees no more. @throws an unexpected error, with which no hook is called */
async function outcomeOf(route: MountedRoute, work: () => Promise<unknown>): Promise<Reply | ApiError> {
  try {
    const value = await work()
    return isReply(value) ? value : rawJson(route.returns.parse(value))
  } catch (error) {
    const refused = findRefusal(error)
    if (refused) return new ApiError(refused, { cause: error })
    if (error instanceof ApiError) return error
    throw error
  }
}

function describeOutcome(outcome: Reply | ApiError): HookOutcome {
  if (outcome instanceof ApiError) return { error: outcome.entry }
  if (outcome.kind === 'json') return { result: outcome.value }
  return outcome.kind === 'redirect' ? { redirect: outcome.location } : {}
}

/** @throws TypeError for a value that no header can have */
function addHeaders({ cookies, headers }: Outgoing, result: AfterCallResult): void {
  if (!result?.headers) return
  for (const [name, value] of new Headers(result.headers)) {
    if (name === 'set-cookie') cookies.set(value.slice(0, value.indexOf('=')), value)
    else headers[name] = value
  }
}
