/** One call of the API: its declaration, and the types of everything that follows from it. */
import type { z } from 'zod'
import type { Config } from '../features/index.ts'
import type { App } from './app.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { ErrorEntry } from './errors.ts'
import type { RateLimitRule } from './ports.ts'
import type { Reply } from './reply.ts'
import type { CurrentSession, Identity, IncomingRequest, UserRow } from './request.ts'
import type { Tables } from './table.ts'

/**
 * Who may call. `public`: no session is looked for. `optional`: a session or null. `session`, `fresh-session`: 401, 403 otherwise.
 */
export type Access = 'public' | 'optional' | 'session' | 'fresh-session'

/** A zod schema, or one that depends on the configuration and is resolved once at start. */
export type Schema<T extends z.ZodType = z.ZodType> = T | ((config: Config, tables: Tables) => T)
type Parsed<S> = S extends z.ZodType ? z.output<S> : S extends (config: Config, tables: Tables) => infer T ? Parsed<T> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : S extends (config: Config, tables: Tables) => infer T ? Sent<T> : undefined

type Caller<A extends Access> = A extends 'session' | 'fresh-session'
  ? { readonly session: CurrentSession; readonly user: UserRow }
  : A extends 'optional'
    ? { readonly session: CurrentSession | null; readonly user: UserRow | null }
    : { readonly session: null; readonly user: null }

/** What a handler gets: `app`, the validated input, the caller, and where to put cookies and headers. */
export type Context<Q = unknown, B = unknown, P = unknown, A extends Access = Access> = App &
  Caller<A> & {
    readonly request: IncomingRequest
    readonly query: Q
    readonly body: B
    readonly params: P
    readonly cookies: CookieJar
    /** Headers of the answer, whatever it will be: a result, a redirect or an error. */
    readonly headers: Record<string, string>
    /** Who sends this call, or null; asked for where it matters, since reading a cookie costs two hashes. */
    readonly identify: () => Identity | null
  }

export interface RouteDeclaration<
  A extends Access,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  P extends Schema | undefined,
  R extends Schema,
> {
  /** One line for the reference page. */
  readonly summary: string
  readonly access: A
  readonly query?: Q
  readonly body?: B
  /** Values of `:name` parts of the path. */
  readonly params?: P
  /** The JSON answer; it also strips: a column that is not listed here cannot leave the server. */
  readonly returns: R
  /** Catalogue entries this call may answer with, beside those of the kernel. */
  readonly errors?: readonly ErrorEntry[]
  /** Absent: the rule for the path's beginning, or the default. */
  readonly rateLimit?: RateLimitRule
  /** A GET whose `callbackURL`, when given, must be trusted (contract 00 §6); of a POST it always must. */
  readonly callback?: 'query'
  /** Whether the call exists under this configuration; absent: whenever its feature is on. */
  readonly exists?: (config: Config) => boolean
  /** Left out of the OpenAPI document: pages and files. */
  readonly undocumented?: true
  readonly handler: (ctx: Context<Parsed<Q>, Parsed<B>, Parsed<P>, A>) => Promise<Sent<R> | Reply> | Sent<R> | Reply
}

export interface Route<A extends Access = Access, Q = unknown, B = unknown, P = unknown, R = unknown> {
  readonly declaration: RouteDeclaration<A, Schema | undefined, Schema | undefined, Schema | undefined, Schema>
  /** For the typed client only. */
  readonly types?: { readonly query: Q; readonly body: B; readonly params: P; readonly output: R }
}
/** A route of whatever shape. */
export type AnyRoute = Route

/** Declares a call; the types of the handler's context follow from the declaration. */
export const route = <
  const A extends Access,
  R extends Schema,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  P extends Schema | undefined = undefined,
>(
  declaration: RouteDeclaration<A, Q, B, P, R>,
): Route<A, Sent<Q>, Sent<B>, Sent<P>, Parsed<R>> => ({ declaration: declaration as unknown as Route<A>['declaration'] })

type Types<R> = R extends Route<Access, infer Q, infer B, infer P, infer O> ? { query: Q; body: B; params: P; output: O } : never
type Part<K extends string, T> = [T] extends [undefined] ? unknown : object extends T ? { [k in K]?: T } : { [k in K]: T }

/** What a client of this route sends. */
export type Input<R> = Part<'query', Types<R>['query']> & Part<'body', Types<R>['body']> & Part<'params', Types<R>['params']>
/** What a client of this route receives. */
export type Output<R> = Types<R>['output']

/** The schema under this configuration. */
export const resolveSchema = (schema: Schema | undefined, config: Config, tables: Tables): z.ZodType | undefined =>
  typeof schema === 'function' ? schema(config, tables) : schema
