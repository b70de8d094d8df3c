/** Processes one call, in the order of contract 00 §2. */
import type { App } from '../core/app.ts'
import { withDatabaseTime } from '../core/database-time.ts'
import { ApiError, type ErrorEntry, errors, RedirectError } from '../core/errors.ts'
import { EndOfCall, isReply, redirect } from '../core/reply.ts'
import type { CallContext } from '../core/request.ts'
import { apiPath, apiURL, disabledPaths } from '../core/route.ts'
import { requestIds } from '../lib/request-id.ts'
import { withParameter } from '../lib/url.ts'
import { checkAccess, clientOf, openContext } from './access.ts'
import { createCors, isPreflight, preflight } from './cors.ts'
import { formValues } from './form-values.ts'
import { createCallHooks } from './hooks.ts'
import { checkQuery, createBodyReader, parseInput, queryOf, type SentInput } from './input.ts'
import { checkCallback, checkOrigin, createHostCheck, createOrigins } from './origin.ts'
import { type CountedCredential, createRateLimit } from './rate-limit.ts'
import { type CallRequest, createRequestReader, type Received } from './request.ts'
import { createCookieJar, createResponder, type Outgoing, type Sent } from './respond.ts'
import { createRouting, type MatchedRoute, type MountedRoute } from './routing.ts'

export type Handle = (received: Received) => Promise<Sent>

export interface HandleOptions {
  /** Serve the private listener: only calls with `access: server()` or `alsoPrivileged`, without the limits of public clients. */
  readonly isPrivileged?: boolean
  /** Called with the route key and the code when a handler throws an error that its declaration does not list. */
  readonly onUndeclaredError?: (routeKey: string, code: string) => void
  /** Responds in place of a call; null: the call is made. For tests of pages, which make calls too. */
  readonly answer?: (received: Received) => Sent | null
}

/** The steps of a call, created once: they depend on the configuration only. */
function createSteps(app: App, { isPrivileged = false, onUndeclaredError }: HandleOptions) {
  const origins = createOrigins(app)
  return {
    origins,
    readRequest: createRequestReader(app, apiPath(app.config)),
    isPrivileged,
    findRoute: createRouting(app, { isPrivileged }),
    checkHost: isPrivileged ? null : createHostCheck(app),
    cors: isPrivileged ? null : createCors(app, origins),
    limitRate: isPrivileged ? null : createRateLimit(app),
    readBody: createBodyReader(app.config.server.bodyLimit),
    hooks: createCallHooks(app),
    respond: createResponder(app),
    checkDeclared: onUndeclaredError && createDeclarationCheck(onUndeclaredError),
    disabled: isPrivileged ? new Set<string>() : disabledPaths(app.config),
    screens: isPrivileged ? [] : app.features.flatMap(({ screen }) => (screen ? [screen] : [])),
    denied: app.features.flatMap(({ denied }) => (denied ? [denied] : [])),
  }
}
type Steps = ReturnType<typeof createSteps>

export function createHandle(app: App, options: HandleOptions = {}): Handle {
  const steps = createSteps(app, options)
  const nextId = requestIds((count) => app.random.bytes(count))
  const { queryTimeout } = app.config.database
  return async (received) => {
    const started = performance.now()
    const request = steps.readRequest(received, nextId(app.now().getTime()))
    const match = steps.findRoute(request.method, request.path)
    const pattern = match?.route.pattern ?? ''
    const outgoing: Outgoing = { request, pattern, cookies: createCookieJar(request), headers: {}, subject: {} }
    const sent = await withDatabaseTime(queryTimeout, () => respondTo(app, steps, outgoing, match)).catch((error: unknown) =>
      steps.respond.failure(outgoing, error),
    )
    if (isDenied(outgoing, sent.status)) reportDenied(app, steps, outgoing, match, sent.status)
    record(app, outgoing, match, sent.status, performance.now() - started)
    return sent
  }
}

async function respondTo(app: App, steps: Steps, outgoing: Outgoing, match: MatchedRoute | null): Promise<Sent> {
  const { request } = outgoing
  const { respond } = steps
  steps.checkHost?.(request)
  const crossOrigin = steps.cors?.(request)
  const corsHeaders = crossOrigin && (await crossOrigin)
  if (corsHeaders) {
    if (isPreflight(request)) return respond.empty(outgoing, 204, preflight(app, corsHeaders))
    Object.assign(outgoing.headers, corsHeaders)
  }
  if (steps.disabled.has(request.path) || steps.disabled.has(outgoing.pattern)) return respond.plainNotFound(outgoing)
  const opened = openContext(app, outgoing, steps.isPrivileged)
  const countInvalid = steps.limitRate ? await steps.limitRate(request, match, () => countedCredential(opened.ctx)) : null
  if (!match) return respond.empty(outgoing, 404)
  checkQuery(request)
  if (request.method === 'POST') await runScreens(app, steps, outgoing)
  const read = request.method === 'POST' ? await steps.readBody(request) : undefined
  // Before all steps: to hooks and features, a form is a call like any other.
  const body = request.received.isForm ? formValues(match.route.body, read) : read
  if (request.method === 'POST' && !steps.isPrivileged && !isOwnRead(request, match))
    await checkOrigin(app, steps.origins, outgoing, match, body)
  const sent = { query: () => queryOf(request.queryParameters()), body }
  const run = (input: SentInput) =>
    countingInvalid(outgoing, countInvalid, () => perform(steps, outgoing, match, { ...opened, sent: input }))
  if (!steps.hooks) return respond.result(outgoing, match.route, await run(sent))
  const changed = await steps.hooks.before(outgoing, sent)
  if (isReply(changed)) return respond.result(outgoing, match.route, changed)
  const work = () => run(changed)
  return respond.result(outgoing, match.route, await steps.hooks.after(outgoing, match.route, changed, work))
}

/** What they reject is recorded, whatever the status: it is a refusal of a client, not of its input. */
async function runScreens(app: App, { screens }: Steps, outgoing: Outgoing): Promise<void> {
  outgoing.subject.isScreening = true
  for (const screen of screens) await screen(app, outgoing.request)
  outgoing.subject.isScreening = false
}

/** A page makes it while it is rendered, so no other page has sent it. */
const isOwnRead = ({ received }: CallRequest, { route }: MatchedRoute): boolean =>
  received.isOwn === true && route.declaration.isRead === true

/** By what a read is counted. A raw token or a key in a header has no signature: the client may be guessing it. */
function countedCredential({ credential: find, request }: CallContext): CountedCredential | null {
  const credential = find()
  if (credential?.secret === undefined) return null
  const isSigned = credential.kind === 'cookie' || request.header('authorization')?.includes('.') === true
  return { secret: credential.secret, isSigned: isSigned && credential.kind !== 'api-key' }
}

/** A read whose credential is not valid identifies no user, whatever it responds with. An outage says nothing about the credential. */
async function countingInvalid(outgoing: Outgoing, count: (() => Promise<void>) | null, work: () => Promise<unknown>) {
  if (!count) return work()
  const result = await work().catch(async (error: unknown) => {
    if (outgoing.actor === undefined && error instanceof ApiError && error.entry.status < 500) await count()
    throw error
  })
  if (outgoing.actor === undefined) await count()
  return result
}

/** Runs the call itself: parses its input, checks its access and calls its handler. */
async function perform(
  steps: Steps,
  outgoing: Outgoing,
  match: MatchedRoute,
  { ctx, isCredentialError, sent }: ReturnType<typeof openContext> & { readonly sent: SentInput },
): Promise<unknown> {
  const { declaration, before, after } = match.route
  for (const step of before) {
    const waiting = step(ctx, sent, match.route)
    const reply = waiting && (await waiting)
    if (reply) return reply
  }
  const input = parseInput(match, sent)
  const { session, user } = await checkAccess(ctx, declaration, Object(input.query))
  if (declaration.callback === 'query') await checkCallback(steps.origins, outgoing)
  try {
    // Assigned to the context itself: its `actor` follows the identity, and a copy would not.
    let result: unknown = await declaration.handler(Object.assign(ctx, input, { session, user }) as never)
    for (const step of after) result = (await step(ctx, result)) ?? result
    return result
  } catch (error) {
    if (error instanceof EndOfCall) return error.reply
    if (!isCredentialError(error)) steps.checkDeclared?.(match.route, error)
    if (error instanceof RedirectError) {
      outgoing.errorCode = error.family ?? error.code
      return redirect(errorTarget(ctx, error))
    }
    throw error
  }
}

/** Where a failed browser flow redirects to: its target, else the error page (contract 00 §4). */
function errorTarget({ config, dashboard, request }: CallContext, { target, code, description }: RedirectError): string {
  const url = withParameter(target ?? config.onAPIError.errorURL ?? `${apiURL(config)}/error`, 'error', code)
  const described = description === undefined ? url : withParameter(url, 'error_description', description)
  // Only our own page shows it, so that users can name it to support.
  const isOwnPage = target === undefined && config.onAPIError.errorURL === undefined && dashboard !== null
  return isOwnPage ? withParameter(described, 'requestId', request.id) : described
}

const deniedStatuses = new Set([401, 403, 413, 429])

const isDenied = ({ subject }: Outgoing, status: number): boolean =>
  deniedStatuses.has(status) || subject.hasFailed === true || (subject.isScreening === true && status >= 400)

function reportDenied(app: App, steps: Steps, outgoing: Outgoing, match: MatchedRoute | null, status: number): void {
  const { request, subject, errorCode: code = '' } = outgoing
  const actor = outgoing.actor ?? { kind: 'anonymous', ...clientOf(request) }
  const route = match && `${match.route.method} ${match.route.pattern}`
  const isEarly = status === 413 || subject.isScreening === true
  const about = { subjectId: subject.userId ?? null, reason: subject.reason, ...(isEarly && { isEarly }) }
  for (const denied of steps.denied) denied(app, { actor, route, status, code, ...about })
}

const familyOf = ({ family, code }: ErrorEntry): string => family ?? code

/** @returns a function that reports an error that a route responds with and does not declare */
function createDeclarationCheck(report: (routeKey: string, code: string) => void) {
  const always = new Set(Object.values(errors).map(({ code }) => code))
  return ({ method, pattern, declaration }: MountedRoute, error: unknown): void => {
    if (error instanceof RedirectError) {
      if (!declaration.redirects?.includes(error.family ?? error.code)) report(`${method} ${pattern}`, error.code)
    } else if (error instanceof ApiError && !always.has(error.entry.code)) {
      const { access, errors: declared = [] } = declaration
      // A handler may check the permission of its access once more, when it depends on what the call changes.
      const allowed = access.kind === 'session' ? [...declared, access.refusal] : declared
      if (!allowed.some((entry) => familyOf(entry) === familyOf(error.entry))) report(`${method} ${pattern}`, error.entry.code)
    }
  }
}

/** Successes are logged at `debug` only: a log line costs a tenth of a cheap call. So are failures in an outage. */
function record(
  app: App,
  { request, isOutage, errorCode }: Outgoing,
  match: MatchedRoute | null,
  status: number,
  milliseconds: number,
): void {
  const route = match?.route.pattern ?? 'unknown'
  app.metrics.observe('request_duration', milliseconds / 1000, {
    method: match ? request.method : 'other',
    route,
    status: String(status),
  })
  const isDetail = status < 400 || isOutage === true
  if (isDetail && app.config.log.level !== 'debug') return
  const fields = {
    requestId: request.id,
    method: request.method,
    route,
    status,
    ...(errorCode !== undefined && { code: errorCode }),
    milliseconds: Math.round(milliseconds),
    address: request.address(),
  }
  const message = status < 400 ? 'Call succeeded' : 'Call failed'
  if (isDetail) app.log.debug(fields, message)
  else app.log.info(fields, message)
}
