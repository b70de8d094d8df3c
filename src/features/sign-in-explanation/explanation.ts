/** Why a user would be asked for what at their next sign-in (contract 11 §12). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { type ExpectedProof, type SignInStep, signInMethodsOf } from '../../core/sign-in.ts'
import { explainChallenges } from '../sessions/index.ts'

interface ExplainedMethod {
  /** As in `SignInMethod`. */
  readonly method: string
  /** One for each way to use it, such as each linked provider. */
  readonly proofs: readonly ExpectedProof[]
  readonly reason: string
}

/** The methods with which users who exist sign in, in the order of the sign-in page. */
async function considerSignInMethods(app: App, user: UserRow): Promise<ExplainedMethod[]> {
  const methods: ExplainedMethod[] = []
  for (const { name, expects } of signInMethodsOf(app.features, app.config))
    if (expects) methods.push({ method: name, ...(await expects(app, user)) })
  return methods
}

const nameOf = ({ method, variant }: ExpectedProof): string => (variant === undefined ? method : `${method}:${variant}`)

function stepsOf({ method, proofs, reason }: ExplainedMethod): SignInStep[] {
  if (proofs.length === 0) return [{ step: `method:${method}`, result: 'unavailable', reason }]
  return proofs.map((proof) => ({ step: `method:${nameOf(proof)}`, result: 'available', reason }))
}

const isAsked = (name: string, asked: string): boolean => name === asked || name.startsWith(`${asked}:`)

/**
 * The decisions of the next sign-in of a user, from the functions that decide. Changes nothing.
 * @param asked a sign-in method, such as `password`, `social` or `social:google`; absent: all are listed, and the first that the user has
 * is explained
 */
export async function explainSignIn(app: App, user: UserRow, asked?: string): Promise<SignInStep[]> {
  const methods = await considerSignInMethods(app, user)
  const proofs = methods.flatMap((method) => method.proofs)
  const chosen = proofs.find((proof) => asked === undefined || isAsked(nameOf(proof), asked))
  const steps = methods.flatMap(stepsOf)
  const shown = asked === undefined ? steps : steps.filter(({ step }) => isAsked(step, `method:${asked}`))
  if (!chosen && shown.length === 0)
    return [{ step: asked === undefined ? 'method' : `method:${asked}`, result: 'unavailable', reason: 'off' }]
  return chosen ? [...shown, ...(await explainChallenges(app, user, chosen))] : shown
}
