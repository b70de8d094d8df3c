/** What features demand between a proof and its session. */
import { type App, memo } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { EndOfCall, rawJson, redirect } from '../../core/reply.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import type { Proof, SignInStep } from '../../core/sign-in.ts'
import { afterCommit } from '../../core/transaction.ts'

/** A proof as the code of its method gives it. Default: a first factor, remembered, of a call that responds with JSON. */
export type GivenProof = Pick<Proof, 'method' | 'amr'> & Partial<Proof>
export const proofOf = (given: GivenProof): Proof => ({ kind: 'first-factor', remember: true, reply: 'json', ...given })

const challenges = memo(({ config, features }: App) =>
  features.flatMap(({ challenge }) => (challenge && (challenge.exists?.(config) ?? true) ? [challenge] : [])),
)
const admissions = memo(({ features }: App) => features.flatMap(({ admits = [] }) => admits))

/** @throws ApiError when a feature does not admit the user; @param proof null: an administrator impersonates them */
export async function admitUser(app: App, user: UserRow, proof: Proof | null): Promise<void> {
  for (const admits of admissions(app)) await admits(app, user, proof)
}

const openChallenges = (app: App, { kind, answered }: Pick<Proof, 'kind' | 'answered'>) =>
  challenges(app).filter(({ kinds, name }) => kinds.includes(kind) && !answered?.includes(name))

/** Whether a feature is to be asked about a proof of this kind. */
export const mayChallenge = (app: App, proof: Pick<Proof, 'kind' | 'answered'>): boolean => openChallenges(app, proof).length > 0

/**
 * Asks the features whether they demand more. Their challenge ends the call; the session that the client has stays as it is, and
 * the feature decides about its cookies. In a transaction too: see `decide`.
 * @returns the proof, with what they add to it
 * @throws EndOfCall with the first challenge in list order; ApiError as `admitUser`, so that a banned user is not challenged
 */
export async function demandChallenge(ctx: CallContext, user: UserRow, given: Proof): Promise<Proof> {
  const open = openChallenges(ctx, given)
  if (open.length === 0) return given
  let proof: Proof = { path: ctx.request.path, ...stored(given) }
  if (proof.kind !== 'existing-session') await admitUser(ctx, user, proof)
  for (const { demand, returns } of open) {
    const challenge = await demand(ctx, user, proof)
    if (!challenge) continue
    if ('accepted' in challenge) {
      proof = { ...proof, ...challenge.accepted }
      const { added } = challenge
      if (added)
        await afterCommit(ctx, async () => void Object.assign(ctx.subject, { added: { ...ctx.subject.added, ...added } }))
      continue
    }
    if (proof.reply === 'none') throw new EndOfCall(rawJson(null))
    const body = returns ? returns.parse(challenge.body) : challenge.body
    throw new EndOfCall(proof.reply === 'redirect' ? redirect(challenge.location) : rawJson(body, challenge.location))
  }
  return { ...proof, attempt: given.attempt }
}

/** What `demandChallenge` would do about a first factor, and why: the same functions decide, and nothing is written. */
export async function explainChallenges(app: App, user: UserRow, given: GivenProof): Promise<SignInStep[]> {
  let proof = proofOf(given)
  const rejection = await admitUser(app, user, proof).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ApiError) return error.entry.code
      throw error
    },
  )
  if (rejection !== null) return [{ step: 'admission', result: 'rejected', reason: rejection }]
  const steps: SignInStep[] = [{ step: 'admission', result: 'admitted', reason: 'no-rejection' }]
  const open = openChallenges(app, proof)
  for (const { explain } of open) {
    const explained = await explain(app, user, proof)
    steps.push(...explained.steps)
    proof = { ...proof, ...explained.accepted }
  }
  return open.length > 0 ? steps : [...steps, { step: 'challenge', result: 'none', reason: 'off' }]
}

/** Without what is true at this moment only. */
function stored({ attempt, ...proof }: Proof): Proof {
  return attempt ? { ...proof, attempt: { account: attempt.account, counters: attempt.counters } } : proof
}

/** What the token of a challenged session is encrypted for. */
export const sealedToken = 'challenged-session'

/** Call it before a client gets a session that exists already. @throws EndOfCall */
export async function challengeExisting(ctx: CallContext, { session, user }: SessionAndUser, method: string): Promise<void> {
  const kind = 'existing-session'
  if (!mayChallenge(ctx, { kind })) return
  const sealed = ctx.keyring.encrypt(sealedToken, session.token)
  await demandChallenge(ctx, user, proofOf({ kind, method, amr: [], session: sealed }))
}
