/** The installation's own functions around a call: asked first, and told last (contract 00 §2 steps 8 and 12). */
import type { App } from '../core/app.ts'
import type { AfterCallAnswer, AfterCallHook, HookCall, HookOutcome } from '../core/call-hooks.ts'
import { ApiError } from '../core/errors.ts'
import { findRefusal } from '../core/refusal.ts'
import { isReply, type Reply, type Shown, shown } from '../core/reply.ts'
import type { SentInput } from './input.ts'
import type { Outgoing } from './respond.ts'
import type { MountedRoute } from './routing.ts'

export interface CallHooks {
  /** @returns what the call goes on with; or the answer in place of it */
  before(outgoing: Outgoing, sent: SentInput): Promise<SentInput | Shown>
  /** @returns the outcome of `work`, or what takes its place */
  after(outgoing: Outgoing, route: MountedRoute, sent: SentInput, work: () => Promise<unknown>): Promise<unknown>
}

/** @returns null when there are none */
export function createCallHooks({ config }: App): CallHooks | null {
  const { before, after } = config.hooks
  if (!before && !after) return null
  return {
    before: async (outgoing, sent) => {
      const answer = await before?.(describeCall(outgoing, sent))
      if (!answer) return sent
      if ('response' in answer) return shown(answer.response ?? null)
      const { query, body } = answer.context
      return { query: query ? () => query : sent.query, body: 'body' in answer.context ? body : sent.body }
    },
    after: async (outgoing, route, sent, work) => {
      if (!after) return work()
      const outcome = await outcomeOf(route, work)
      const answer = await askLast(after, outgoing, { ...describeCall(outgoing, sent), ...describeOutcome(outcome) })
      addHeaders(outgoing, answer)
      if (answer && 'response' in answer) return shown(answer.response ?? null)
      if (outcome instanceof ApiError) throw outcome
      return outcome
    },
  }
}

/** A hook that fails has the last word: what the call would have handed out is not handed out. */
async function askLast(after: AfterCallHook, { cookies }: Outgoing, call: HookCall & HookOutcome): Promise<AfterCallAnswer> {
  try {
    return await after(call)
  } catch (error) {
    cookies.discard()
    throw error
  }
}

const describeCall = ({ call, request }: Outgoing, { query, body }: SentInput): HookCall => ({
  method: request.method,
  path: request.path,
  headers: call.req.raw.headers,
  query: query(),
  body,
  address: request.address(),
  requestId: request.id,
})

/** As it will leave the server, so that a hook sees no more than the client. What nobody has foreseen is told to no hook. */
async function outcomeOf(route: MountedRoute, work: () => Promise<unknown>): Promise<Reply | ApiError> {
  try {
    const value = await work()
    return isReply(value) ? value : shown(route.returns.parse(value))
  } catch (error) {
    const refused = findRefusal(error)
    if (refused) return new ApiError(refused, { cause: error })
    if (error instanceof ApiError) return error
    throw error
  }
}

function describeOutcome(outcome: Reply | ApiError): HookOutcome {
  if (outcome instanceof ApiError) return { error: outcome.entry }
  if (outcome.kind === 'shown') return { result: outcome.value }
  return outcome.kind === 'redirect' ? { redirect: outcome.location } : {}
}

/** @throws TypeError for what no header can hold */
function addHeaders({ cookies, headers }: Outgoing, answer: AfterCallAnswer): void {
  for (const [name, value] of new Headers(answer ? answer.headers : undefined)) {
    if (name === 'set-cookie') cookies.set(value.slice(0, value.indexOf('=')), value)
    else headers[name] = value
  }
}
