/** One call of the API: its declaration, and the types of everything that follows from it. */
import { z } from 'zod'
import type { Config } from '../features/index.ts'
import type { Area } from './areas.ts'
import type { ErrorEntry } from './errors.ts'
import type { Feature } from './feature.ts'
import type { Access, DeclaredStepUp, PendingSignIn } from './permissions.ts'
import type { RateLimitRule } from './ports.ts'
import type { Reply } from './reply.ts'
import type { CallContext, SessionView, UserRow } from './request.ts'
import type { ProofKind, SignInChallenge } from './sign-in.ts'
import { errors as signUpErrors } from './sign-up.ts'
import type { Tables } from './table.ts'

/** A zod schema, or one that depends on the configuration and is resolved once at start. */
type Schema<T extends z.ZodType = z.ZodType> = T | ((...resolved: Resolved) => T)
/** What decides about a schema: the configuration, all tables under it, and the features. */
type Resolved = readonly [config: Config, tables: Tables, features: readonly Feature[]]
type Parsed<S> = S extends z.ZodType ? z.output<S> : S extends (...resolved: Resolved) => infer T ? Parsed<T> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : S extends (...resolved: Resolved) => infer T ? Sent<T> : undefined

type Current<A extends Access> = A extends { readonly kind: 'session' }
  ? { readonly session: SessionView; readonly user: UserRow }
  : A extends { readonly kind: 'optional-session' }
    ? { readonly session: SessionView | null; readonly user: UserRow | null }
    : { readonly session: null; readonly user: null }

/** The context of a handler: the call, its validated input, and the session and user that its access guarantees. */
type Context<Q = unknown, B = unknown, P = unknown, A extends Access = Access> = CallContext &
  Current<A> & { readonly query: Q; readonly body: B; readonly params: P }

type SignsIn = readonly ProofKind[] | undefined

interface RouteDeclaration<
  A extends Access,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  P extends Schema | undefined,
  R extends Schema,
  S extends SignsIn,
> {
  /** The title in the API reference: imperative, at most eight words, different for each call. */
  readonly summary: string
  /** For the API reference: what the call does and returns, and when it fails. Access and rate limit are added. */
  readonly description?: string
  /** Absent: the area of the feature. */
  readonly area?: Area
  /** Absent: the plugin of the feature. */
  readonly plugin?: string
  readonly access: A
  /** A public call whose handler uses the credential of the request, if there is one: clients should send it. */
  readonly usesCredential?: true
  /** The pending sign-ins that the handler finds by their cookie. For all other calls, their clients are anonymous. */
  readonly acceptsPending?: readonly PendingSignIn[]
  /** A POST that changes nothing. */
  readonly isRead?: true
  /**
   * In read-only mode. Absent: a call that reads is served, which is a GET that signs no one in and a POST with `isRead`; all others are
   * rejected. `operators`: served to signed-in users who may lift a freeze, because they have to prove themselves for that.
   */
  readonly whileReadOnly?: 'served' | 'rejected' | 'operators'
  readonly query?: Q
  readonly body?: B
  /** Values of `:name` parts of the path. */
  readonly params?: P
  /** The JSON response. It also filters: a column that is not listed here is never sent. */
  readonly returns: R
  /** Catalogue entries that the handler may respond with, in addition to those of `core/errors.ts`. Tests reject any other. */
  readonly errors?: readonly ErrorEntry[]
  /** The codes with which this call may redirect (`RedirectError`); tests reject any other. */
  readonly redirects?: readonly string[]
  /**
   * From what it gives its client another session than it had. The OpenAPI document adds the challenges of these kinds to its
   * responses, and the session cookie to its headers. Tests reject a call that gives a session and does not declare it.
   */
  readonly signsIn?: S
  /**
   * May create a user: it may also respond with SIGN_UP_NOT_ALLOWED, which is added to its errors. Every such call has a way in
   * `src/features/sign-up-policy/ways.test.ts`.
   */
  readonly createsUsers?: true
  /**
   * Only for new users: while sign-up is frozen, it is rejected before it looks for the email address, so that the response does not reveal
   * it. Other calls that may create users are rejected when they do.
   */
  readonly isSignUp?: true
  /** Headers that a successful response may have, in addition to those of every response: names in lower case, and descriptions. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** Responds with a page to a form that a browser sends: to a request that accepts HTML. */
  readonly mayReturnPage?: true
  /** Absent: the rule for the start of the path, or the default. */
  readonly rateLimit?: RateLimitRule | ((config: Config) => RateLimitRule)
  /** Changes or reveals how the user signs in, or deletes them: rejected with an API key, and for a GET during an impersonation. */
  readonly sensitive?: true
  /** Dangerous: a user who has a second factor must have proven it recently (contract 11 §11). */
  readonly stepUp?: DeclaredStepUp
  /**
   * A POST that an administrator may make while they impersonate the user, because it only reads, or changes nothing but the session of
   * the impersonation and the profile. Every other POST that uses a session is rejected.
   */
  readonly whileImpersonating?: 'allowed'
  /**
   * Changes the session itself, which a key does not have, or returns a credential without the limits of the key: rejected with an API
   * key.
   */
  readonly rejectsApiKeys?: true
  /** Checks the `callbackURL` of a GET, if there is one (contract 00 §6). That of a POST is always checked. */
  readonly callback?: 'query'
  /**
   * `cross-site`: a POST that another site's page sends, such as the form_post of a provider. Its origin is not checked, so the
   * handler must check a proof of its own, such as the state (RFC 6749 §10.12).
   */
  readonly origin?: 'cross-site'
  /**
   * Also served on the private listener, to the operator's own servers. There `ctx.isPrivileged` is true, and the handler may accept
   * what users must not set.
   */
  readonly alsoPrivileged?: true
  /** Whether the call exists under this configuration; absent: whenever its feature is on. */
  readonly exists?: (config: Config) => boolean
  /** Left out of the OpenAPI document: pages and files. */
  readonly undocumented?: true
  /** Marked as deprecated in the OpenAPI document: served for older clients, replaced by another call. */
  readonly deprecated?: true
  readonly handler: (ctx: Context<Parsed<Q>, Parsed<B>, Parsed<P>, A>) => Promise<Sent<R> | Reply> | Sent<R> | Reply
}

/** A declared call; without arguments, a route of any shape. */
export interface Route<A extends Access = Access, Q = unknown, B = unknown, P = unknown, R = unknown, S = unknown> {
  readonly declaration: RouteDeclaration<A, Schema | undefined, Schema | undefined, Schema | undefined, Schema, SignsIn>
  /** For the typed client only. */
  readonly types?: { readonly query: Q; readonly body: B; readonly params: P; readonly output: R; readonly signsIn: S }
}
/** Declares a call; the types of the handler's context follow from the declaration. */
export const route = <
  const A extends Access,
  R extends Schema,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  P extends Schema | undefined = undefined,
  const S extends SignsIn = undefined,
>(
  declaration: RouteDeclaration<A, Q, B, P, R, S>,
): Route<A, Sent<Q>, Sent<B>, Sent<P>, Parsed<R>, S> => ({ declaration: declaration as unknown as Route<A>['declaration'] })

/** The schema under this configuration. */
export const resolveSchema = (schema: Schema | undefined, ...resolved: Resolved): z.ZodType | undefined =>
  typeof schema === 'function' ? schema(...resolved) : schema

interface Enabled {
  readonly config: Config
  readonly features: readonly Feature[]
}

/** The errors of a call that may create a user; none for one that only redirects, with a code of its own. */
export const signUpErrorsOf = ({ createsUsers, returns }: Route['declaration']): ErrorEntry[] =>
  createsUsers && !(returns instanceof z.ZodNever) ? [signUpErrors.SIGN_UP_NOT_ALLOWED] : []

/** What may demand more before this call gives a session. */
export const challengesOf = ({ config, features }: Enabled, { signsIn = [] }: Route['declaration']): SignInChallenge[] =>
  features.flatMap(({ challenge }) => {
    const exists = challenge && (challenge.exists?.(config) ?? true)
    return exists && signsIn.some((kind) => challenge.kinds.includes(kind)) ? [challenge] : []
  })

/** The JSON response of a call that signs in, with what the features add that do not challenge it. */
export function withAdded(returns: z.ZodType, declaration: Route['declaration'], enabled: Enabled): z.ZodType {
  const added = Object.assign({}, ...challengesOf(enabled, declaration).map(({ adds }) => adds))
  return returns instanceof z.ZodObject && Object.keys(added).length > 0 ? returns.extend(added) : returns
}

type URLOptions = Pick<Config, 'baseURL' | 'basePath'> & { readonly server: Pick<Config['server'], 'port'> }

/** The rate limit of a call under this configuration. */
export const rateLimitOf = ({ rateLimit }: Route['declaration'], config: Config): RateLimitRule | undefined =>
  typeof rateLimit === 'function' ? rateLimit(config) : rateLimit

/** The public URL of the API without a trailing slash: a path in `baseURL` replaces `basePath` (contract 00 §1). */
export function apiURL(config: URLOptions): string {
  const url = new URL(config.baseURL ?? `http://localhost:${config.server.port}`)
  const path = url.pathname === '/' ? config.basePath : url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path}`
}

/** The path under which the API is mounted. */
export const apiPath = (config: Config): string => new URL(apiURL(config)).pathname

/** Paths below the base path, as sent or as declared, whose calls are disabled. Without a trailing slash, as in a request. */
export const disabledPaths = ({ disabledPaths: paths }: Config): ReadonlySet<string> =>
  new Set(paths.map((path) => path.replace(/(?<=.)\/$/, '')))
