/** The access that a call requires, as a value in its declaration, and the check of permissions. */
import type { Config } from '../features/index.ts'
import type { App } from './app.ts'
import { ApiError, type ErrorEntry, errors } from './errors.ts'
import type { CallContext, Identity, SessionView, UserRow } from './request.ts'

/** What a role permits: actions by resource. */
type Permissions = Readonly<Record<string, readonly string[]>>

type Connector = 'AND' | 'OR'
/** What a call requires: actions by resource. Under `OR` one of a resource's actions is enough. */
export type RequiredPermissions = Readonly<
  Record<string, readonly string[] | { readonly actions: readonly string[]; readonly connector: Connector }>
>

/**
 * Whether roles permit a request, for administrators and for organizations (contract 04 §1). What several roles permit adds up.
 * @param connector `OR`: one of the resources is enough
 * @returns false for an empty request, which is a mistake
 */
export function allows(roles: readonly Permissions[], required: RequiredPermissions, connector: Connector = 'AND'): boolean {
  const requests = Object.entries(required)
  if (requests.length === 0) return false
  const permits = ([resource, request]: (typeof requests)[number]) => permitsActions(roles, resource, request)
  return connector === 'OR' ? requests.some(permits) : requests.every(permits)
}

/**
 * Whether roles permit everything that others permit: no user may give another a role that permits more than their own, or take over
 * a user who has one (ASVS 8.2.1).
 */
export const permitsAll = (own: readonly Permissions[], others: readonly Permissions[]): boolean =>
  others.map(withActions).every((required) => Object.keys(required).length === 0 || allows(own, required))

/** Without the resources of which nothing is permitted. */
export const withActions = (permissions: Permissions): Permissions =>
  Object.fromEntries(Object.entries(permissions).filter(([, actions]) => actions.length > 0))

/** What all roles of a user permit, of every feature; when they act by an API key, only what the key permits too. */
export async function grantsOf(app: App, user: Pick<UserRow, 'id' | 'role'>): Promise<readonly Permissions[]> {
  const granted = (await Promise.all(app.features.map((feature) => feature.grants?.(app, user) ?? []))).flat()
  const { actor } = app
  if (actor.kind !== 'user' || actor.userId !== user.id || actor.credential.kind !== 'api-key') return granted
  const { permissions = {} } = actor.credential
  return granted.map((role) => intersect(role, permissions))
}

const intersect = (role: Permissions, limit: Permissions): Permissions =>
  Object.fromEntries(
    Object.entries(role).map(([resource, actions]) => {
      const limited = Object.hasOwn(limit, resource) ? limit[resource] : undefined
      return [resource, actions.filter((action) => limited?.includes(action))]
    }),
  )

function permitsActions(roles: readonly Permissions[], resource: string, request: RequiredPermissions[string]): boolean {
  const declared = roles.filter((role) => Object.hasOwn(role, resource))
  if (declared.length === 0) return false
  const permitted = declared.flatMap((role) => role[resource] ?? [])
  const isPermitted = (action: string) => permitted.includes(action)
  if ('actions' in request)
    return request.connector === 'OR' ? request.actions.some(isPermitted) : request.actions.every(isPermitted)
  return request.every(isPermitted)
}

// Types and not interfaces: the declarations of routes name them by their members.
type PublicAccess = { readonly kind: 'public' }
type OptionalSessionAccess = { readonly kind: 'optional-session'; readonly requiresFresh: Freshness }
type SessionAccess = {
  readonly kind: 'session'
  readonly requiresFresh: Freshness
  readonly permissions?: RequiredPermissions
  /** The response when the permissions are missing. */
  readonly refusal: ErrorEntry
}
type ServerAccess = { readonly kind: 'server' }
export type Access = PublicAccess | OptionalSessionAccess | SessionAccess | ServerAccess

/**
 * What a dangerous call demands of a user who has a second factor: `recent`: a recent proof of one; `established`: of one that they have had
 * for a while, so that a thief of a session cannot add one of their own for it.
 */
export type StepUp = 'recent' | 'established'

/**
 * What a call declares: it is demanded before the handler; or by the handler, of each call after the password was checked
 * (`after-password`), or with some inputs only (`by-input`).
 */
export type DeclaredStepUp = StepUp | 'after-password' | 'by-input'

/** A call that demands it. */
export interface StepUpCall {
  /** Below the base path. */
  readonly path: string
  readonly demands: StepUp
}

/**
 * A sign-in without a session that waits: until the user proves a second factor, or until they have set one up (contract 11 §3, §10), or
 * until they have accepted terms.
 */
export type PendingSignIn = 'verify' | 'setup' | 'terms'

/** What the declaration of a call says about its access. */
export interface DeclaredAccess {
  readonly access: Access
  readonly sensitive?: boolean
  readonly rejectsApiKeys?: boolean
  readonly whileImpersonating?: 'allowed'
  readonly stepUp?: DeclaredStepUp
}

/** What a call demands before its handler. */
export const stepUpBefore = ({ stepUp }: Pick<DeclaredAccess, 'stepUp'>): StepUp | undefined =>
  stepUp === 'after-password' || stepUp === 'by-input' ? undefined : stepUp

/** Whether a call must have a session that was authenticated within `session.freshAge` (ASVS 7.5.1), under this configuration. */
type Freshness = (config: Config) => boolean
const never: Freshness = () => false
const always: Freshness = () => true

/** Of the calls with which administrators create or raise power, change or remove users, or read everything. */
const administratorCalls: Freshness = ({ admin }) => admin.requireFreshSession
/** Of the users' own calls that add or remove a sign-in method or an API key, revoke sessions, or give or destroy power in organizations. */
export const sensitiveCalls: Freshness = ({ session }) => session.freshFor === 'sensitive'

/** Whether a call rejects API keys. An API key proves no recent authentication by its owner, and a leaked one must not take over the account (ASVS 7.5.1). */
export function needsSession(config: Config, { access, sensitive = false, rejectsApiKeys = false }: DeclaredAccess): boolean {
  if (rejectsApiKeys || access.kind === 'public' || access.kind === 'server') return rejectsApiKeys
  // A key has permissions only from the operator, for programs without a user who could sign in again.
  if (access.kind === 'session' && access.permissions) return false
  return sensitive || access.requiresFresh(config)
}

/**
 * Whether a call is rejected during an impersonation, which is for seeing what the user sees: everything that may change something,
 * unless it is declared as allowed, and what is sensitive.
 */
export const rejectsImpersonators = (method: string, { sensitive = false, whileImpersonating }: DeclaredAccess): boolean =>
  sensitive || (method === 'POST' && whileImpersonating !== 'allowed')

/**
 * What `sensitive` declares, for a call that is sensitive with some inputs only.
 * @throws ApiError NOT_ALLOWED_WHILE_IMPERSONATING_A_USER, NOT_ALLOWED_WITH_AN_API_KEY
 */
export function requireOwnSession({ impersonatedBy, credential }: Pick<Identity, 'impersonatedBy' | 'credential'>): void {
  if (impersonatedBy !== undefined) throw new ApiError(errors.NOT_ALLOWED_WHILE_IMPERSONATING_A_USER)
  if (credential.kind === 'api-key') throw new ApiError(errors.NOT_ALLOWED_WITH_AN_API_KEY)
}

/** Public: no session is read. */
export const anyone = (): PublicAccess => ({ kind: 'public' })

/** Public: a session is used if there is one. @param requiresFresh when it must be fresh */
export const optionalSession = (requiresFresh: Freshness = never): OptionalSessionAccess => ({
  kind: 'optional-session',
  requiresFresh,
})

/** 401 without a session. */
export const session = (): SessionAccess => freshSession(never)

/** 401 without a session, 403 when the user authenticated too long ago (contract 02 §1). @param requiresFresh absent: always */
export const freshSession = (requiresFresh: Freshness = always): SessionAccess => ({
  kind: 'session',
  requiresFresh,
  refusal: errors.FORBIDDEN,
})

/**
 * 401 without a session, 403 unless the user's roles permit all of this.
 * @param refusal the 403 response; left out: FORBIDDEN
 */
export const permission = (permissions: RequiredPermissions, refusal: ErrorEntry = errors.FORBIDDEN): SessionAccess =>
  freshPermission(permissions, refusal, never)

/** The same, and 403 when the user authenticated too long ago; an API key with these permissions passes. */
export const freshPermission = (
  permissions: RequiredPermissions,
  refusal: ErrorEntry = errors.FORBIDDEN,
  requiresFresh: Freshness = administratorCalls,
): SessionAccess => ({ kind: 'session', requiresFresh, permissions, refusal })

/**
 * Whether the user authenticated within `session.freshAge`; a renewal does not count (contract 02 §1).
 * @param lastInstant whether a session of exactly this age is still fresh: `stale` for calls that require a fresh session,
 * `fresh` for the deletion of an account (contract 02 §6)
 */
export function isFresh(
  { config, now }: Pick<App, 'config' | 'now'>,
  { authenticatedAt, createdAt }: Pick<SessionView, 'authenticatedAt' | 'createdAt'>,
  lastInstant: 'fresh' | 'stale',
): boolean {
  const freshAgeMs = config.session.freshAge * 1000
  const ageMs = now().getTime() - (authenticatedAt ?? createdAt).getTime()
  return freshAgeMs === 0 || ageMs < freshAgeMs || (lastInstant === 'fresh' && ageMs === freshAgeMs)
}

/**
 * Requires a recent proof: of a second factor, if the user has one and the call demands it, else a fresh session.
 * @param demands of the call; absent for an API key whose permissions include it: only operators give them, to programs without a user who
 * could prove a factor
 * @throws ApiError SESSION_IS_NOT_FRESH; NOT_ALLOWED_WITH_AN_API_KEY for a key of a user who has a second factor. Whether one must be fresh,
 * the declaration of the call says: it rejects keys, or accepts them
 */
export async function checkProof(
  ctx: CallContext,
  identity: Identity,
  requiresFresh: Freshness,
  demands: StepUp | undefined,
): Promise<void> {
  // A server of the operator could name the user without their session.
  if (ctx.isPrivileged) return
  if (demands) {
    const call = { path: ctx.request.path, demands }
    for (const { stepUp } of ctx.features) if (stepUp && (await stepUp(ctx, identity, call))) return
  }
  if (identity.credential.kind === 'api-key') return
  if (requiresFresh(ctx.config) && !isFresh(ctx, identity.session, 'stale')) throw new ApiError(errors.SESSION_IS_NOT_FRESH)
}

/**
 * What the access of a call declares, for a call that requires a recent proof with some inputs only.
 * @throws ApiError SESSION_IS_NOT_FRESH, NOT_ALLOWED_WITH_AN_API_KEY
 */
export async function requireFresh(ctx: CallContext, requiresFresh: Freshness, demands?: StepUp): Promise<void> {
  const identity = await ctx.identify()
  if (!identity) return
  if (identity.credential.kind === 'api-key' && requiresFresh(ctx.config)) throw new ApiError(errors.NOT_ALLOWED_WITH_AN_API_KEY)
  await checkProof(ctx, identity, requiresFresh, demands)
}

/** Rows on a page of an administrators' list: a response with more is an export. */
const mostListed = 100

/** When a call must have a fresh session: as it declares, and for an export of what its permissions protect. */
export const freshnessOf =
  (access: OptionalSessionAccess | SessionAccess, { limit }: { readonly limit?: unknown } = {}): Freshness =>
  (config) =>
    access.requiresFresh(config) || ('permissions' in access && Number(limit) > mostListed && administratorCalls(config))

/** Never routed on the public listener: there it is an unknown path (contract 00 §1). */
export const server = (): ServerAccess => ({ kind: 'server' })
