/** Rejects what is frozen: one step before every call, and one condition each for new sessions and new users. */
import { type App, callOf } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import type { Feature } from '../../core/feature.ts'
import { type Freeze, findFreeze, frozenKinds, retryAfter } from '../../core/freezes.ts'
import { allows, grantsOf } from '../../core/permissions.ts'
import { type Redirect, redirect } from '../../core/reply.ts'
import type { CallContext } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import type { DeclaredCall } from '../../core/steps.ts'
import { withParameter } from '../../lib/url.ts'
import { errors, signInFrozen, signUpFrozen } from './model.ts'

/** Who may lift a freeze may sign in to do so. */
const operates = { incident: ['freeze'] }

/** By which pages know that they must say so. */
const frozenHeader = 'x-frozen'

/** Whether a call is served in read-only mode, as its declaration says. */
export function whileReadOnlyOf({ method, declaration }: Pick<DeclaredCall, 'method' | 'declaration'>) {
  if (declaration.whileReadOnly) return declaration.whileReadOnly
  const reads = method === 'GET' ? declaration.signsIn === undefined : declaration.isRead === true
  return reads ? 'served' : 'rejected'
}

/** The step before every call. While nothing is frozen, it compares with null. */
export function rejectFrozen(
  ctx: CallContext,
  _: unknown,
  call: DeclaredCall,
): Promise<Redirect | undefined> | Redirect | undefined {
  const frozen = frozenKinds(ctx)
  if (!frozen) return undefined
  ctx.headers[frozenHeader] = frozen.join(',')
  const writes = findFreeze(ctx, 'writes')
  if (writes) {
    const served = whileReadOnlyOf(call)
    if (served === 'rejected') return rejectWrite(ctx, writes)
    if (served === 'operators') return rejectUnlessOperator(ctx, writes)
  }
  const signUp = findFreeze(ctx, 'sign-up')
  if (signUp && !ctx.isPrivileged && call.declaration.isSignUp)
    throw new ApiError(signUpFrozen, { headers: retryAfter(ctx, signUp) })
  return undefined
}

/** A browser that follows a link gets the error page. @throws ApiError READ_ONLY */
function rejectWrite(ctx: CallContext, freeze: Freeze): Redirect {
  const { request, config } = ctx
  if (request.method === 'GET' && request.header('accept')?.includes('text/html'))
    return redirect(withParameter(config.onAPIError.errorURL ?? `${apiURL(config)}/error`, 'error', errors.READ_ONLY.code))
  throw new ApiError(errors.READ_ONLY, { headers: retryAfter(ctx, freeze) })
}

async function rejectUnlessOperator(ctx: CallContext, freeze: Freeze): Promise<Redirect | undefined> {
  const identity = await ctx.identify({ refresh: false })
  if (identity && identity.impersonatedBy === undefined && allows(await grantsOf(ctx, identity.user), operates)) return undefined
  return rejectWrite(ctx, freeze)
}

/** Sessions that exist may be replaced and handed over; users who may lift a freeze may sign in. @throws ApiError SIGN_IN_FROZEN */
export const admits: NonNullable<Feature['admits']> = async (app, user, proof) => {
  const freeze = findFreeze(app, 'sign-in')
  if (!freeze || proof === null || proof.kind === 'existing-session' || proof.kind === 'replaced-session') return
  if (allows(await grantsOf(app, user), operates)) return
  throw new ApiError(signInFrozen, { headers: retryAfter(app, freeze) })
}

/** Commands, jobs, servers of the operator and users who may create users are not affected. @throws ApiError SIGN_UP_FROZEN */
async function rejectNewUser(app: App): Promise<void> {
  const freeze = findFreeze(app, 'sign-up')
  const call = freeze && callOf(app)
  if (!call || call.isPrivileged) return
  // Otherwise the identity is not known, and reading it would wait for this transaction on SQLite.
  const identity = app.actor.kind === 'user' ? await call.identify() : null
  if (identity && allows(await grantsOf(app, identity.user), { user: ['create'] })) return
  throw new ApiError(signUpFrozen, { headers: retryAfter(app, freeze) })
}

export const on: Listeners = { 'user.creating': (app) => rejectNewUser(app) }
