/** The life of one call, in the order of contract 00 §2. */
import { type App, extend } from '../core/app.ts'
import { apiPath } from '../core/base-url.ts'
import { createCookieJar } from '../core/cookie-jar.ts'
import { isReply } from '../core/reply.ts'
import type { Context } from '../core/route.ts'
import { checkAccess, findIdentity } from './access.ts'
import { createBodyReader } from './body.ts'
import { createCors, isPreflight, preflight } from './cors.ts'
import { createCallHooks } from './hooks.ts'
import { parseInput, queryOf, type SentInput } from './input.ts'
import { checkCallback, checkOrigin } from './origin.ts'
import { createRateLimit } from './rate-limit.ts'
import { type Call, createRequestReader } from './request.ts'
import { createResponder, type Outgoing } from './respond.ts'
import { createRouting, type MatchedRoute } from './routing.ts'
import { createTrustedOrigins } from './trusted-origins.ts'

export type Handle = (call: Call) => Promise<Response>

/** What a call goes through, made once: everything that depends on the configuration only. */
function createSteps(app: App) {
  const trusted = createTrustedOrigins(app)
  return {
    trusted,
    readRequest: createRequestReader(app, apiPath(app.config)),
    findRoute: createRouting(app),
    cors: createCors(app, trusted),
    limitRate: createRateLimit(app),
    readBody: createBodyReader(app.config.server.bodyLimit),
    hooks: createCallHooks(app),
    respond: createResponder(app),
    disabled: new Set(app.config.disabledPaths),
    screens: app.features.flatMap(({ screen }) => (screen ? [screen] : [])),
  }
}
type Steps = ReturnType<typeof createSteps>

export function createHandle(app: App): Handle {
  const steps = createSteps(app)
  const nextId = requestIds(app)
  return async (call) => {
    const started = performance.now()
    const request = steps.readRequest(call, nextId())
    const match = steps.findRoute(request.method, request.path)
    const pattern = match?.route.pattern ?? ''
    const outgoing: Outgoing = { call, request, pattern, cookies: createCookieJar(), headers: {} }
    const response = await answer(app, steps, outgoing, match).catch((error: unknown) => steps.respond.failure(outgoing, error))
    record(app, outgoing, match, response.status, performance.now() - started)
    return response
  }
}

async function answer(app: App, steps: Steps, outgoing: Outgoing, match: MatchedRoute | null): Promise<Response> {
  const { call, request } = outgoing
  const { respond } = steps
  const crossOrigin = await steps.cors(call, request)
  if (crossOrigin) {
    if (isPreflight(request)) return respond.empty(outgoing, 204, preflight(crossOrigin))
    Object.assign(outgoing.headers, crossOrigin)
  }
  if (steps.disabled.has(request.path)) return respond.plainNotFound(outgoing)
  for (const screen of steps.screens) await screen(app, request)
  if (steps.limitRate) await steps.limitRate(call, request, match)
  if (!match) return respond.empty(outgoing, 404)
  const body = request.method === 'POST' ? await steps.readBody(call, request) : undefined
  if (request.method === 'POST') await checkOrigin(app, steps.trusted, call, request, body)
  const sent = { query: () => queryOf(request.queryParameters()), body }
  if (!steps.hooks) return respond.result(outgoing, match.route, await perform(app, steps, outgoing, match, sent))
  const asked = await steps.hooks.before(outgoing, sent)
  if (isReply(asked)) return respond.result(outgoing, match.route, asked)
  const work = () => perform(app, steps, outgoing, match, asked)
  return respond.result(outgoing, match.route, await steps.hooks.after(outgoing, match.route, asked, work))
}

/** What the call itself is: its input, who may make it, and its handler. */
async function perform(app: App, steps: Steps, outgoing: Outgoing, match: MatchedRoute, sent: SentInput): Promise<unknown> {
  const { call, request, cookies, headers } = outgoing
  const { declaration } = match.route
  const identify = onFirstCall(() => findIdentity(app, request))
  const input = parseInput(match, sent)
  const caller = await checkAccess(app, declaration.access, identify, cookies)
  if (declaration.callback === 'query') await checkCallback(steps.trusted, call, request)
  const actor = { kind: 'anonymous', address: request.address(), requestId: request.id } as const
  const ctx: Context = extend(app, { ...input, ...caller, actor, request, cookies, identify, headers })
  return declaration.handler(ctx as never)
}

function onFirstCall<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined
  return () => {
    done ??= { value: work() }
    return done.value
  }
}

/** Unique, not secret: a random beginning for each process, and a count. */
function requestIds(app: App): () => string {
  const prefix = app.random.token(12)
  let count = 0
  return () => `${prefix}-${(++count).toString(36)}`
}

/** Successes are logged at `debug` only: a log line costs a tenth of a cheap call. */
function record(app: App, { request }: Outgoing, match: MatchedRoute | null, status: number, milliseconds: number): void {
  const route = match?.route.pattern ?? 'unknown'
  app.metrics.observe('request_duration', milliseconds / 1000, {
    method: match ? request.method : 'other',
    route,
    status: String(status),
  })
  if (status < 400 && app.config.log.level !== 'debug') return
  const fields = {
    requestId: request.id,
    method: request.method,
    route,
    status,
    milliseconds: Math.round(milliseconds),
    address: request.address(),
  }
  if (status < 400) app.log.debug(fields, 'Call answered')
  else app.log.info(fields, 'Call refused')
}
