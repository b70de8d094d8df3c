/** Whether a sign-in is challenged, and why: values of which the challenge and its explanation are both made (contract 11 §2, §12). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import type { Accepted, ChallengeExplanation, Proof, SignInStep } from '../../core/sign-in.ts'
import { explainFailures } from './attempts.ts'
import { hasQualifying } from './due.ts'
import { type ConsideredMethod, considerMethods } from './methods.ts'
import { hasSecondFactor, type Method } from './model.ts'
import { rulesFor } from './rules.ts'
import { ageFor } from './step-up.ts'
import { considerTrust, findTrustedDevices } from './trusted-devices.ts'

export interface ChallengeDecision {
  /**
   * `none`: nothing is demanded; `accepted`: the first factor counts as two; `qualifying`: a passkey is, if the user has one that
   * satisfies a rule.
   */
  readonly result: 'none' | 'accepted' | 'verify' | 'qualifying'
  readonly reason: 'no-factor' | 'two-factors-in-one' | 'provider-trusted' | 'has-factor' | 'required'
}

/** What a first factor leads to, before it is known whether the browser is trusted. */
export function decideChallenge({ config }: Pick<App, 'config'>, user: UserRow, proof: Proof): ChallengeDecision {
  // Such as a passkey with user verification.
  if (proof.acr !== undefined) return { result: 'none', reason: 'two-factors-in-one' }
  const hasOne = hasSecondFactor(user)
  if (!hasOne && rulesFor(config, user).length === 0) return { result: 'none', reason: 'no-factor' }
  const isTrusted = conditionsOf(config, proof).some((amr) => amr === null || proof.asserted?.includes(amr) === true)
  if (isTrusted) return { result: 'accepted', reason: 'provider-trusted' }
  return hasOne ? { result: 'verify', reason: 'has-factor' } : { result: 'qualifying', reason: 'required' }
}

/** The claims of which one makes a provider trusted to have asked for two factors; null: without one. Empty: it is not trusted. */
const conditionsOf = ({ twoFactor }: App['config'], { method }: Pick<Proof, 'method'>): (string | null)[] =>
  twoFactor.trustProviders.flatMap((trusted) => {
    const { id, when } = typeof trusted === 'string' ? { id: trusted, when: undefined } : trusted
    return method === `social:${id}` ? [when?.amr ?? null] : []
  })

/** The decisions of a sign-in about the second factor, in their order, for administrators and operators. */
export async function explainChallenge(app: App, user: UserRow, proof: Proof): Promise<ChallengeExplanation> {
  const { result, reason } = decideChallenge(app, user, proof)
  const stepUp = explainStepUp(app, user)
  if (result === 'none') return { steps: [{ step: 'challenge', result, reason }, stepUp] }
  if (result === 'accepted')
    return { steps: [{ step: 'challenge', result, reason }, stepUp], accepted: acceptedBy(app, proof).accepted }
  if (result === 'qualifying' && !(await hasQualifying(app, user)))
    return { steps: [{ step: 'challenge', result: 'none', reason: 'no-factor' }, stepUp] }
  const considered = await considerMethods(app, user, proof)
  const offered = considered.find(({ usability }) => usability === 'usable')
  const steps = [
    { step: 'challenge', result: offered ? nameOf(offered.method) : 'unanswerable', reason },
    ...conditionsOf(app.config, proof).map((amr) => ({ step: 'provider', result: 'conditional', reason: `amr:${amr}` })),
    ...considered.map(describeConsidered),
    await explainTrust(app, user, proof),
    await explainCodes(app, user),
    stepUp,
  ]
  return { steps }
}

/** The sign-in of a provider that the configuration trusts to have asked for two factors. */
export const acceptedBy = ({ now }: Pick<App, 'now'>, { amr, columns }: Proof): Accepted => ({
  accepted: {
    amr: [...amr, 'mfa'],
    acr: 'urn:latchkey:acr:2',
    columns: { ...columns, factorProvenAt: now().getTime() },
    reason: 'provider-trusted' satisfies ChallengeDecision['reason'],
  },
})

const describeConsidered = ({ method, usability }: ConsideredMethod): SignInStep => {
  const isUsable = usability === 'usable'
  const reason = isUsable && method.left !== undefined ? `left:${method.left}` : usability
  return { step: `factor:${nameOf(method)}`, result: isUsable ? 'offered' : 'not-offered', reason }
}

const nameOf = ({ type, channel }: Method): string => (channel === undefined ? type : `${type}:${channel}`)

async function explainTrust(app: App, user: UserRow, proof: Proof): Promise<SignInStep> {
  const step = 'trusted-browser'
  const possible = considerTrust(app, user, proof)
  if (possible !== 'possible') return { step, result: 'not-accepted', reason: possible }
  const { length } = await findTrustedDevices(app, user.id)
  return { step, result: 'accepted', reason: `browsers:${length}` }
}

async function explainCodes(app: App, { id }: UserRow): Promise<SignInStep> {
  const { failures = 0, wait = 0, isSuspended = false } = (await explainFailures(app, id)) ?? {}
  const result = isSuspended ? 'suspended' : wait > 0 ? `delayed:${wait}` : 'compared'
  return { step: 'codes', result, reason: `failures:${failures}` }
}

/** What dangerous calls demand after this sign-in. */
function explainStepUp(app: App, user: UserRow): SignInStep {
  const maxAge = hasSecondFactor(user) ? ageFor(app) : null
  return maxAge === null
    ? { step: 'step-up', result: 'fresh-session', reason: `max-age:${app.config.session.freshAge}` }
    : { step: 'step-up', result: 'recent-factor', reason: `max-age:${maxAge}` }
}
