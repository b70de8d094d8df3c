/** The decision whether a user may be created (docs/sign-up.md): features reject or waive, as values with their reason. */
import type { App } from './app.ts'
import { ApiError, defineErrors } from './errors.ts'
import { emit } from './events.ts'

/**
 * Who creates a user: the client that becomes the user (`self`), an administrator by the API, an operator by a command, an import, or
 * `latchkey seed`.
 */
export type SignUpSource = 'self' | 'administrator' | 'operator' | 'import' | 'seed'

/** How a user is created, as the code that creates them knows it. */
export interface SignUpWay {
  /** How the user will sign in first, such as `password` or `social:github`; absent: not known. */
  readonly method?: string
  /** Absent: `self`. */
  readonly source?: SignUpSource
  /** An administrator or operator creates the user although the policy rejects them. */
  readonly overrides?: boolean
}

/** A user to create, or the new email address of one. Rules that need more of the request get it by `callOf(app)`. */
export interface SignUpAttempt extends SignUpWay {
  /** In lower case, as it will be stored; a placeholder when the user has no email address. */
  readonly email: string
  /** The user whose email address changes; absent: a new user. */
  readonly userId?: string
  /** The response must not depend on the users that exist, so that rules about them are left to the insert. */
  readonly hidesUsers?: boolean
}

export interface SignUpRejection {
  /** A short word, such as `address-blocked`. */
  readonly rejected: string
  /** The option that caused it, such as `signUp.block`. */
  readonly setting: string
  /** The entry of a list that matched, and where it stands when it is in a file. */
  readonly entry?: string
  readonly file?: string
  readonly line?: number
  /** No feature may waive it; an administrator or operator may override it. */
  readonly isFirm?: boolean
}

export interface SignUpWaiver {
  /** A short word, such as `invitation`. */
  readonly waived: string
}

type Eventually<T> = Promise<T> | T

/** How a feature takes part in the decision. In a transaction its functions use only the database. */
export interface SignUpRule {
  /** Why this user must not be created, or must not have this email address; null: this feature does not mind. */
  readonly rejects?: (app: App, attempt: SignUpAttempt) => Eventually<SignUpRejection | null>
  /** Called when another rule rejects a user: why they are admitted nevertheless; null: they are not. */
  readonly waives?: (app: App, attempt: SignUpAttempt, rejection: SignUpRejection) => Eventually<SignUpWaiver | null>
}

export interface SignUpDecision {
  /** What rejects the user; null: nothing. */
  readonly rejection: SignUpRejection | null
  /** What admits them nevertheless: the word of a feature, `override` or `seed`. */
  readonly waiver: SignUpWaiver | null
}

/** One answer for every reason: strangers must not learn the rules, or who is invited. */
export const errors = defineErrors({ SIGN_UP_NOT_ALLOWED: [403, 'Sign-up is not allowed'] })

/** The attempt of a user to change their email address. @param email the new one, in lower case */
export const emailChange = ({ id: userId }: { readonly id: string }, email: string): SignUpAttempt => ({
  ...{ method: 'email-change', email, userId },
})

/** Whether a user changes their own email address. What administrators and operators change is theirs to decide. */
export const isOwnChange = ({ actor }: App, userId: string): boolean =>
  actor.kind === 'anonymous' || (actor.kind === 'user' && actor.userId === userId)

/** The way in one word: the method, or who creates the user. */
export const wayOf = ({ method, source = 'self' }: SignUpWay): string => method ?? source

export const isAdmitted = ({ rejection, waiver }: SignUpDecision): boolean => rejection === null || waiver !== null

const admitted: SignUpDecision = { rejection: null, waiver: null }

/**
 * Asks every feature whether a user may be created, or may have another email address. A firm rejection comes before others, which a
 * feature may waive. Nothing is recorded.
 */
export async function decideSignUp(app: App, attempt: SignUpAttempt): Promise<SignUpDecision> {
  const rejection = await findRejection(app, attempt)
  if (!rejection) return admitted
  if (attempt.overrides) return { rejection, waiver: { waived: 'override' } }
  // The configuration names the user.
  if (attempt.source === 'seed') return { rejection, waiver: { waived: 'seed' } }
  return { rejection, waiver: rejection.isFirm ? null : await findWaiver(app, attempt, rejection) }
}

async function findRejection(app: App, attempt: SignUpAttempt): Promise<SignUpRejection | null> {
  let found: SignUpRejection | null = null
  const deciding = app.features.filter(({ admitsSignUp }) => admitsSignUp?.rejects)
  for (const { admitsSignUp } of deciding) {
    const rejection = (await admitsSignUp?.rejects?.(app, attempt)) ?? null
    if (rejection?.isFirm) return rejection
    found ??= rejection
  }
  return found
}

async function findWaiver(app: App, attempt: SignUpAttempt, rejection: SignUpRejection): Promise<SignUpWaiver | null> {
  for (const { admitsSignUp } of app.features) {
    const waiver = await admitsSignUp?.waives?.(app, attempt, rejection)
    if (waiver) return waiver
  }
  return null
}

/**
 * The same for a call that responds the same whatever the decision: it sends nothing to users who are rejected.
 * @param isKnown there is a user with the email address, so that no one signs up: only takes the same work, and records nothing
 * @returns whether a new user is admitted; a rejection is recorded
 */
export async function admitsSignUp(app: App, attempt: SignUpAttempt, isKnown = false): Promise<boolean> {
  const decision = await decideSignUp(app, attempt)
  if (isAdmitted(decision)) return true
  if (decision.rejection && !isKnown) await emit(app, 'sign-up.rejected', { attempt, rejection: decision.rejection })
  return false
}

/**
 * The same for a call that fails. Call it before the response can reveal whether the email address is known; `insertUser` calls it again
 * for the draft, which a hook may have changed.
 * @throws ApiError SIGN_UP_NOT_ALLOWED, with the reason for administrators and operators only
 */
export async function requireSignUp(app: App, attempt: SignUpAttempt): Promise<SignUpDecision> {
  const decision = await decideSignUp(app, attempt)
  const { rejection } = decision
  if (rejection === null || isAdmitted(decision)) return decision
  await emit(app, 'sign-up.rejected', { attempt, rejection })
  throw rejectionError(attempt, rejection)
}

/** The error of a rejected attempt; strangers do not learn why. */
export function rejectionError({ source = 'self' }: SignUpWay, { rejected: reason, setting }: SignUpRejection): ApiError {
  return new ApiError(errors.SIGN_UP_NOT_ALLOWED, source === 'self' ? {} : { details: { reason, setting } })
}
