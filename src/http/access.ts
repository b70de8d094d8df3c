/** Identifies the client of a call and checks its access. */
import { type Actor, type App, extend, memo } from '../core/app.ts'
import { holdCredential, holdPermission } from '../core/credential-hold.ts'
import { ApiError, type ErrorEntry, errors } from '../core/errors.ts'
import {
  allows,
  checkProof,
  type DeclaredAccess,
  freshnessOf,
  grantsOf,
  needsSession,
  type RequiredPermissions,
  rejectsImpersonators,
  stepUpBefore,
} from '../core/permissions.ts'
import { noPreferences, readPreferences } from '../core/preferences.ts'
import type { CallContext, Identity, PresentedCredential } from '../core/request.ts'
import { userAgentOf } from '../lib/device.ts'
import type { CallRequest } from './request.ts'
import type { Outgoing } from './respond.ts'

/** Where a call comes from, as its actor has it. */
export function clientOf(request: CallRequest) {
  const userAgent = userAgentOf(request)
  const { id: requestId } = request
  return { ipAddress: request.address(), networkAddress: request.networkAddress(), requestId, ...(userAgent && { userAgent }) }
}

/**
 * The context of a call whose client is not identified yet.
 * @returns with `isCredentialError`: whether the credential of the call threw this error, which may happen in any call
 */
export function openContext(app: App, outgoing: Outgoing, isPrivileged: boolean) {
  const { request, cookies, headers } = outgoing
  let presented: PresentedCredential | null | undefined
  let identified: Promise<Identity | null> | undefined
  let thrown: { readonly error: unknown } | undefined
  const from = clientOf(request)
  const actor: Actor = isPrivileged ? { kind: 'operator', name: 'private listener' } : { kind: 'anonymous', ...from }
  const credential = () => {
    if (presented === undefined) presented = findCredential(ctx)
    return presented
  }
  const verify = async (refresh: boolean) => {
    const identity = (await credential()?.verify({ refresh })) ?? null
    if (identity) outgoing.actor = ctx.actor = { ...actorOf(identity), ...from }
    return identity
  }
  const identify: CallContext['identify'] = ({ refresh = true } = {}) => {
    identified ??= verify(refresh).catch((error: unknown) => {
      thrown = { error }
      throw error
    })
    return identified
  }
  const ctx: Omit<CallContext, 'actor'> & { actor: Actor } = extend(app, {
    request,
    cookies,
    headers,
    subject: outgoing.subject,
    isPrivileged,
    actor,
    preferences: () => (isPrivileged ? noPreferences : readPreferences(app.config, request)),
    credential,
    sessionToken: () => credential()?.sessionToken ?? findCredential(ctx, isSession)?.sessionToken ?? null,
    identify,
  })
  return { ctx, isCredentialError: (error: unknown) => thrown !== undefined && thrown.error === error }
}

/** From the last feature to the first. */
const authenticators = memo(({ features }: Pick<App, 'features' | 'memo'>) =>
  features.flatMap(({ authenticate }) => authenticate ?? []).reverse(),
)

function findCredential(ctx: CallContext, accepts: (presented: PresentedCredential) => boolean = () => true) {
  for (const authenticate of authenticators(ctx)) {
    const presented = authenticate(ctx)
    if (presented && accepts(presented)) return presented
  }
  return null
}

const isSession = ({ sessionToken }: PresentedCredential): boolean => sessionToken !== null

const actorOf = ({ user, credential, impersonatedBy }: Identity) =>
  ({ kind: 'user', userId: user.id, credential, ...(impersonatedBy !== undefined && { impersonatedBy }) }) as const

/** Says that the API key is the cause when its owner may make the call: the message of the contract does not. */
async function refusedBy(ctx: CallContext, { credential, user }: Identity, required: RequiredPermissions) {
  if (credential.kind !== 'api-key') return undefined
  const own = await grantsOf(extend(ctx, { actor: { kind: 'system' } }), user)
  return allows(own, required) ? { refusedBy: 'api-key', requiredPermissions: required } : undefined
}

const noIdentity = { session: null, user: null }

/**
 * @throws ApiError UNAUTHORIZED, NOT_ALLOWED_WHILE_IMPERSONATING_A_USER, NOT_ALLOWED_WITH_AN_API_KEY, SESSION_IS_NOT_FRESH, or the
 * error that the declaration names
 */
export async function checkAccess(
  ctx: CallContext,
  declared: DeclaredAccess,
  query?: { readonly limit?: unknown },
): Promise<Pick<Identity, 'session' | 'user'> | typeof noIdentity> {
  const { access } = declared
  if (access.kind === 'public' || access.kind === 'server') return noIdentity
  const identity = await ctx.identify()
  if (identity) holdCredential(ctx, identity)
  if (identity?.impersonatedBy !== undefined && rejectsImpersonators(ctx.request.method, declared))
    throw new ApiError(errors.NOT_ALLOWED_WHILE_IMPERSONATING_A_USER)
  if (identity?.credential.kind === 'api-key' && needsSession(ctx.config, declared))
    throw new ApiError(errors.NOT_ALLOWED_WITH_AN_API_KEY)
  if (!identity && access.kind === 'optional-session') return noIdentity
  if (!identity) throw new ApiError(errors.UNAUTHORIZED)
  // Before freshness: users should not sign in again for what they may not do.
  if (access.kind === 'session' && access.permissions) await checkPermissions(ctx, identity, access.permissions, access.refusal)
  const isPermittedKey = identity.credential.kind === 'api-key' && access.kind === 'session' && access.permissions !== undefined
  await checkProof(ctx, identity, freshnessOf(access, query), isPermittedKey ? undefined : stepUpBefore(declared))
  return identity
}

/** Now, and again in the transaction of the call: the role may have been taken away since. @throws ApiError of `refusal` */
async function checkPermissions(ctx: CallContext, identity: Identity, required: RequiredPermissions, refusal: ErrorEntry) {
  if (!allows(await grantsOf(ctx, identity.user), required))
    throw new ApiError(refusal, { details: await refusedBy(ctx, identity, required) })
  holdPermission(ctx, async (tx) => {
    if (!(await stillAllows(tx, identity.user.id, required))) throw new ApiError(refusal)
  })
}

/** Whether the roles of a user, as they are now, permit a request. */
async function stillAllows(app: App, userId: string, required: RequiredPermissions): Promise<boolean> {
  const user = await app.db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  return user !== undefined && allows(await grantsOf(app, user), required)
}
