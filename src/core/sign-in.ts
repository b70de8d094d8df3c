/** The steps between a proven first factor and a session (docs/architecture.md), as plain values. */
import type { RawBuilder, Selectable, SqlBool } from 'kysely'
import type { z } from 'zod'
import type { Attempt, Database } from '../features/index.ts'
import type { App } from './app.ts'
import type { ErrorEntry } from './errors.ts'
import type { CallContext, UserRow } from './request.ts'

/**
 * What a session comes from: a factor that the user has just proven; the creation of the user; a session that exists already and
 * that this client gets; or a session that a new one replaces.
 */
export type ProofKind = 'first-factor' | 'new-user' | 'existing-session' | 'replaced-session'

/** How strongly a session is authenticated, if by more than one factor (contract 11 §11): by two, or by one that resists phishing. */
export type Acr = 'urn:latchkey:acr:2' | 'phr'

/** Why a client gets a session. Plain data: a challenge stores it as JSON, and `resumeSignIn` goes on with it. */
export interface Proof {
  readonly kind: ProofKind
  /** For the audit log: `password`, `social:github` and the like. */
  readonly method: string
  /** The authentication methods that were used (RFC 8176). */
  readonly amr: readonly string[]
  /** Absent: one factor. */
  readonly acr?: Acr
  /** How the provider says that it has authenticated the user (OIDC Core `amr`). */
  readonly asserted?: readonly string[] | undefined
  /** False: the session ends when the browser is closed, after a day at most. */
  readonly remember: boolean
  /**
   * How the call responds: with JSON, or by a redirect to `callbackURL`; `none`: the sign-in is only a part of the call, and no one could
   * answer a challenge, so that there is no session then.
   */
  readonly reply: 'json' | 'redirect' | 'none'
  /** Where the browser continues after the sign-in. It was checked (contract 00 §6). */
  readonly callbackURL?: string | undefined
  /** Where the browser continues after a failure; absent: `callbackURL`. */
  readonly errorURL?: string | undefined
  /** Columns of the session that belong to other features. */
  readonly columns?: Readonly<Record<string, string | number | boolean | null>>
  /** More for the audit log, such as whether a link was opened in the browser that asked for it. */
  readonly details?: Readonly<Record<string, number | boolean>>
  /**
   * Why the user, who has a second factor or must have one, was asked for it or not: for the audit log, in the words of `explain`, such as
   * `trusted-browser`. Absent: nothing is demanded of them.
   */
  readonly reason?: string
  /** The attempt by which a secret was proven. Its failures are reset once there is a session. */
  readonly attempt?: Attempt | undefined
  /** The token of an existing session, encrypted. */
  readonly session?: string
  /** The path of the call in which it was proven, when a challenge stores it; absent: that of the current call. */
  readonly path?: string
  /** Names of the challenges that the user has answered. */
  readonly answered?: readonly string[]
}

/** What a client gets in place of a session. The feature has stored the proof, and written the cookie that identifies it. */
export interface Challenge {
  /** For calls. */
  readonly body: object
  /** For links and callbacks: where the browser continues. */
  readonly location: string
}

/** In place of a challenge: what the feature knows of this proof makes a second one unnecessary. */
export interface Accepted {
  readonly accepted: Partial<Pick<Proof, 'amr' | 'acr' | 'columns' | 'reason'>>
  /** Members of the response to a sign-in by JSON; those of `adds`. */
  readonly added?: Readonly<Record<string, unknown>>
}

/** How a feature demands more than the first factor, such as a second one, before there is a session. */
export interface SignInChallenge<B extends z.ZodType = z.ZodType> {
  readonly name: string
  /** The kinds of proof that it may challenge: it is not asked about others. */
  readonly kinds: readonly ProofKind[]
  /** Whether it can demand anything under this configuration; absent: whenever its feature is enabled. */
  readonly exists?: (config: App['config']) => boolean
  /** The path of the hosted page on which users answer it. */
  readonly page: string
  /** The body with which a call responds in place of its own; absent: it responds with one of `errors`. */
  readonly returns?: B
  /** Errors with which it ends calls that respond with JSON. */
  readonly errors?: readonly ErrorEntry[]
  /** Optional members that it adds to the responses of sign-ins that it does not challenge. */
  readonly adds?: Readonly<Record<string, z.ZodType>>
  /**
   * Called before anything of the sign-in is written. No session, no hook and no event comes before the answer.
   * @param ctx of a transaction, when what was proven works once: it may be undone or repeated, so leave cookies and counts to `afterCommit`
   * @param user as read before they authenticated: `accessRevision` says whether their sign-in methods have changed since
   * @returns null when nothing is demanded
   * @throws ApiError of `errors`, in place of a body
   */
  readonly demand: (ctx: CallContext, user: UserRow, proof: Proof) => Promise<Challenge | Accepted | null>
  /** What `demand` would decide, and why, from the same values. It writes nothing. */
  readonly explain: (app: App, user: UserRow, proof: Proof) => Promise<ChallengeExplanation>
}

export interface ChallengeExplanation {
  readonly steps: readonly SignInStep[]
  /** What it would add to the proof, which later challenges get. */
  readonly accepted?: Accepted['accepted']
}

/** One decision of a sign-in with its reason, as administrators and operators see it: short words, such as `totp` and `has-factor`. */
export interface SignInStep {
  /** What was decided, such as `challenge`, or `factor:totp`. */
  readonly step: string
  readonly result: string
  readonly reason: string
}

/** Whether a second factor can be used now, or why not. */
export type Usability =
  | 'usable'
  | 'not-set-up'
  | 'not-confirmed'
  | 'suspended'
  | 'off'
  | 'cannot-be-sent'
  | 'no-recipient'
  | 'first-factor-channel'

/** A second factor of a feature, in addition to codes. */
export interface SecondFactor {
  /** Such as `passkey`. */
  readonly type: string
  /** Whether a user can prove it now. @param proof of the first factor; null: of a session */
  readonly usability: (app: App, user: UserRow, proof: Pick<Proof, 'amr'> | null) => Promise<Usability>
  /** Whether it is usable with any first factor, as a condition of queries that read `user`. */
  readonly isUsable: (app: App) => RawBuilder<SqlBool>
  /** The error when a user without one wants to enable it. */
  readonly missing: ErrorEntry
  /** How many a user has, also such that cannot be used now. */
  readonly count: (app: App, userId: string) => Promise<number>
  /** When and on which device a user added the oldest one that can be used, and when they last used one. */
  readonly times: (
    app: App,
    userId: string,
  ) => Promise<{ readonly createdAt: Date | null; readonly addedWith: string | null; readonly lastUsedAt: Date | null }>
  /** Removes all that a user has, in a transaction that has locked them. */
  readonly removeAll: (tx: App, userId: string) => Promise<void>
}

/** What of an account says whether it signs in. */
export type SignInAccount = Pick<Selectable<Database['account']>, 'providerId' | 'password'>

/** A sign-in method of a feature. */
export interface SignInMethod {
  /** As in `Proof.method`, without what follows a colon. */
  readonly name: string
  /** Whether it is enabled; absent: whenever its feature is. */
  readonly exists?: (config: App['config']) => boolean
  /**
   * Whether a user could sign in with it if they had only these accounts: they keep one method, whichever they remove. Absent: it signs
   * in new users only.
   */
  readonly isAvailable?: (app: App, user: UserRow, accounts: readonly SignInAccount[]) => Promise<boolean> | boolean
  /** What a user can prove with it, for the explanation of a sign-in; absent: it signs in new users only. */
  readonly expects?: (app: App, user: UserRow) => Promise<ExpectedProofs> | ExpectedProofs
  /**
   * The same for many users, without a query for each: the names of the methods, such as `social:github`, one for each credential. Needed
   * when `expects` makes a query.
   */
  readonly findWays?: (app: App, users: readonly UserRow[]) => Promise<ReadonlyMap<string, readonly string[]>>
}

/** The enabled sign-in methods, in the order of the features. */
export const signInMethodsOf = (
  features: readonly { readonly signInMethod?: SignInMethod }[],
  config: App['config'],
): SignInMethod[] => features.flatMap(({ signInMethod: method }) => (method && (method.exists?.(config) ?? true) ? [method] : []))

/** The proofs that a user can give with a sign-in method, and why they can or cannot, such as `no-password`. */
export interface ExpectedProofs {
  readonly proofs: readonly ExpectedProof[]
  readonly reason: string
}

/** As a sign-in gives it. `variant`: if one method has several: the name of this one. */
export type ExpectedProof = Pick<Proof, 'method' | 'amr' | 'acr'> & { readonly variant?: string }
