/** The proof that dangerous calls demand of users who have a second factor (contract 11 §11; RFC 9470; ASVS 7.5.1). */
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { StepUpCall } from '../../core/permissions.ts'
import type { CallContext, Identity, SessionView } from '../../core/request.ts'
import { firstFactorOf, methodsOf } from './methods.ts'
import { hasSecondFactor } from './model.ts'

/** Seconds for which a proof permits a call; null: the call is not on the list. @param path absent: one without an age of its own */
export function ageFor({ config }: App, path = ''): number | null {
  const { enabled, maxAge, calls } = config.twoFactor.stepUp
  const own = Object.hasOwn(calls, path) ? calls[path] : undefined
  return !enabled || own === false ? null : (own ?? maxAge)
}

/** When the proof of a session counts for a call; null: it does not. In milliseconds since 1970. */
function validFrom({ now }: App, session: SessionView, maxAge: number, demands: StepUpCall['demands']): number | null {
  const { factorProvenAt, factorTrustedAt } = session
  if (factorProvenAt == null || now().getTime() - factorProvenAt > maxAge * 1000) return null
  return demands === 'established' ? (factorTrustedAt ?? 0) : 0
}

/**
 * @param graceSeconds for which the proof may be older, of a call that finishes what another one has begun
 * @returns false when the user has no second factor, or the call is not on the list
 * @throws ApiError SESSION_IS_NOT_FRESH, which says what is demanded; NOT_ALLOWED_WITH_AN_API_KEY, which proves no factor
 */
export async function demandStepUp(
  ctx: CallContext,
  identity: Identity,
  { path, demands }: StepUpCall,
  graceSeconds = 0,
): Promise<boolean> {
  const maxAge = hasSecondFactor(identity.user) ? ageFor(ctx, path) : null
  if (maxAge === null) return false
  if (identity.credential.kind === 'api-key') throw new ApiError(kernelErrors.NOT_ALLOWED_WITH_AN_API_KEY)
  const from = validFrom(ctx, identity.session, maxAge + graceSeconds, demands)
  if (from !== null && from <= ctx.now().getTime()) return true
  const acr = 'urn:latchkey:acr:2'
  const methods = await methodsOf(ctx, identity.user, { proof: firstFactorOf(identity.session) })
  const details = { acr, maxAge, methods, ...(from !== null && { availableAt: new Date(from).toISOString() }) }
  const challenge = `Bearer error="insufficient_user_authentication", acr_values="${acr}", max_age="${maxAge}"`
  const isBearer = identity.credential.kind === 'bearer'
  throw new ApiError(kernelErrors.SESSION_IS_NOT_FRESH, {
    details,
    ...(isBearer && { headers: { 'www-authenticate': challenge } }),
  })
}
