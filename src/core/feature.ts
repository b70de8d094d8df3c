/** The names that a feature module may export. All are optional; each is a plain value or a function. */
import type { z } from 'zod'
import type { Config, Database } from '../features/index.ts'
import type { Actor, App } from './app.ts'
import type { Area } from './areas.ts'
import type { ConfigIssue, ConfigShape } from './config.ts'
import type { CookieJar } from './cookies.ts'
import type { ErrorEntry } from './errors.ts'
import type { EventType, Listeners } from './events.ts'
import type { ExportSource } from './export-source.ts'
import type { Gauges } from './gauges.ts'
import type { MailKind, TextKind } from './message.ts'
import type { allows, StepUpCall } from './permissions.ts'
import type { PageFile } from './ports.ts'
import type { Page, Redirect } from './reply.ts'
import type { CallContext, Identity, IncomingRequest, PresentedCredential, UserRow } from './request.ts'
import type { Route } from './route.ts'
import type { SeedOptions, SeedResult } from './seed.ts'
import type { Proof, SecondFactor, SignInChallenge, SignInMethod } from './sign-in.ts'
import type { SignUpRule } from './sign-up.ts'
import type { AfterStep, BeforeStep, Poll } from './steps.ts'
import { type Indexes, mergeIndexes, mergePermissions, type Tables } from './table.ts'

/** An event about the security of the account of one user, who may read it as recent activity. */
export interface AccountEvent {
  readonly description: string
}

/** Declares one of `auditActions`. @param description what happened */
export const ofAccount = (description: string): AccountEvent => ({ description })

export interface Job {
  /** Seconds between two runs. */
  readonly every: number
  /** @param signal aborted when the daemon stops or another process has taken over */
  readonly run: (app: App, signal: AbortSignal) => Promise<void>
}

/** What pages must know before sign-in: the shape of a feature's settings, and their values under a configuration. */
type Settings<S extends z.ZodRawShape = z.ZodRawShape> = {
  readonly shape: S
  readonly read: (config: Config, features: readonly Feature[]) => object
}

/**
 * Declares the public settings of a feature, which `GET /public-settings` returns together with those of the other features.
 * @param read also called when the feature is disabled; it then returns what says so, such as `null` or `false`
 */
export const settings = <S extends z.ZodRawShape>(
  shape: S,
  read: (config: Config, features: readonly Feature[]) => z.input<z.ZodObject<S>>,
): Settings<S> => ({ shape, read })

/** Directives of the content security policy under which a hosted page may load from more than its own origin (CSP 3 §6). */
export type PageSources = Partial<Record<'script-src' | 'style-src' | 'img-src' | 'connect-src' | 'frame-src', readonly string[]>>

/** A call that was rejected: 401, 403, 413, 429, by a screen, or a secret that did not match. */
export interface DeniedCall {
  readonly actor: Actor
  /** `METHOD /pattern`; the pattern contains no secret, unlike the path as sent. Null for an unknown path. */
  readonly route: string | null
  readonly status: number
  readonly code: string
  /** The user whom the call is about, when it is known: such as the one whose password did not match. */
  readonly subjectId: string | null
  /** Why it failed, when the response must not say so: a short word. */
  readonly reason?: string | undefined
  /** Rejected by a screen, or for the size of its body: nothing was authenticated. */
  readonly isEarly?: boolean
}

/** A response as far as it is known before it is sent. */
export interface ResponseHead {
  readonly request: IncomingRequest
  readonly cookies: CookieJar
  readonly headers: Readonly<Record<string, string>>
}

/** Who gives the fields of a user: users at sign-up, users who update theirs, or an operator or administrator. */
export type UserFieldSource = 'sign-up' | 'update' | 'operator'

/** Fields of users that a feature owns: members of the bodies of calls of other features that create and update users. */
export interface UserFields {
  readonly shape: (config: Config, source: UserFieldSource) => Readonly<Record<string, z.ZodType>>
  /** The columns that these members set. @throws ApiError of the catalogue of the feature */
  readonly read: (app: App, given: object, source: UserFieldSource) => Promise<object>
}

/** The permissions of roles, one entry per role: actions by resource. */
type Roles = Parameters<typeof allows>[0]

/** A column whose values start with the id of the secret that made them. */
interface SecretUse {
  readonly table: keyof Database & string
  readonly column: string
  /** In front of the id. */
  readonly prefix?: string
  /** What one of these rows is, in a list for operators. */
  readonly noun: string
}

/** What a feature adds to the description of a call, also of other features, in the OpenAPI document. */
export interface CallDescription {
  /** What it reads in requests: header names in lower case. */
  readonly requestHeaders?: Readonly<Record<string, { readonly description: string; readonly required: boolean }>>
  /** What it adds to successful responses: header names in lower case, and descriptions. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly errors?: readonly ErrorEntry[]
}

export interface Feature {
  /** Sections and options, by their path in `auth.config.ts`. Several features may add options to one section. */
  readonly config?: ConfigShape
  /** Checks rules between options, once at start. Each issue has an id that docs/configuration.md explains. */
  readonly checkConfig?: (config: Config, enabled: readonly EnabledFeature[]) => readonly ConfigIssue[]
  /** Whether the feature is enabled; absent: always. Of a disabled feature only its public settings take part. */
  readonly enabled?: (config: Config) => boolean
  /** New tables, or columns added to tables of features above (nullable, or with a default). */
  readonly tables?: Tables
  /** Columns that the configuration names; the compiler does not know them. */
  readonly configuredTables?: (config: Config) => Tables
  /** One index for each lookup of rows in these tables. */
  readonly indexes?: Indexes
  /** Indexes of columns that the configuration names. */
  readonly configuredIndexes?: (config: Config) => Indexes
  /** Columns that `secret` hashes or encrypts, by what their rows are. */
  readonly secretUses?: Readonly<Record<string, SecretUse>>
  readonly errors?: Readonly<Record<string, ErrorEntry>>
  /** resource → actions that roles may be given. */
  readonly permissions?: Roles[number]
  /** Permissions that the configuration declares, in addition. */
  readonly configuredPermissions?: (config: Config) => Roles[number]
  /** The permissions of a user's roles, one entry per role. One entry of any feature must permit the call (`core/permissions.ts`). */
  readonly grants?: (app: App, user: Pick<UserRow, 'id' | 'role'>) => Promise<Roles> | Roles
  /** What pages must know before sign-in. */
  readonly publicSettings?: Settings
  /** What the hosted pages load for this feature from other origins. */
  readonly pageSources?: (config: Config) => PageSources
  /** Files that the configuration names, by their path below that of the pages; it starts with `assets/`, and has a hash of the content. */
  readonly pageFiles?: (config: Config) => ReadonlyMap<string, PageFile>
  /** What this feature records in the audit log: the name of each event, and what happened. Users may read those `ofAccount`. */
  readonly auditActions?: Readonly<Record<string, string | AccountEvent>>
  /** Called after each error response that means a denied access or a failed authentication, without delaying it; must not throw. */
  readonly denied?: (app: App, call: DeniedCall) => void
  /** Documents and redirects outside of the base path, by their name below `/.well-known/` (RFC 8615). */
  readonly wellKnown?: (config: Config) => Readonly<Record<string, Page | Redirect>>
  /** Called before the app is closed, to write what is still in memory; must not throw. */
  readonly close?: (app: App) => Promise<void>
  /** The area of its routes in the API reference. */
  readonly area?: Area
  /** The plugin of the wire contract that its routes belong to, such as `api-key`; tags them in the OpenAPI document. */
  readonly plugin?: string
  /** The credentials that `authenticate` finds: security schemes of the OpenAPI document, by name. */
  readonly securitySchemes?: (config: Config) => Readonly<Record<string, object>>
  /** Describes for the OpenAPI document what it adds to a call of any feature; null: nothing. */
  readonly describe?: (config: Config, routeKey: string, declaration: Route['declaration']) => CallDescription | null
  /** `'METHOD /path'` → `route({…})`. */
  readonly routes?: Readonly<Record<string, Route>>
  /** Finds the credential of this feature's kind in the request, or null. Features are called from last to first. */
  readonly authenticate?: (ctx: CallContext) => PresentedCredential | null
  /** Its sign-in method. */
  readonly signInMethod?: SignInMethod
  /** Its second factor. */
  readonly secondFactor?: SecondFactor
  /** Throws for users who must not get a session: before a challenge, and when it is written. `proof` null: an impersonation. */
  readonly admits?: (app: App, user: UserRow, proof: Proof | null) => Promise<void> | void
  /** Rejects or waives new users, and new email addresses of users: asked for each user that is created, however (`core/sign-up.ts`). */
  readonly admitsSignUp?: SignUpRule
  /** What it demands between a first factor and the session. Of several features, the first in list order that demands something. */
  readonly challenge?: SignInChallenge
  /**
   * Demands a recent proof of a second factor before a dangerous call, in place of a fresh session; throws without one.
   * @returns false when it demands nothing of this user
   */
  readonly stepUp?: (ctx: CallContext, identity: Identity, call: StepUpCall) => Promise<boolean> | boolean
  /** Headers for the response to any call, once its cookies are known: a result, a redirect or an error. Must not throw. */
  readonly responseHeaders?: (app: App, response: ResponseHead) => Readonly<Record<string, string>> | null
  /** Checks a POST to a known path after its rate limit, before its body is read; throws to reject it. */
  readonly screen?: (app: App, request: IncomingRequest) => Promise<void> | void
  /** Steps before calls of other features, by route key or `'*'`, which come first. They get the input as sent, and may throw. */
  readonly before?: Readonly<Record<string, BeforeStep>>
  /** Steps after calls of other features that succeeded, by route key or `'*'`, in list order. */
  readonly after?: Readonly<Record<string, AfterStep>>
  /** Errors with which its steps and listeners reject calls of other features, by route key. */
  readonly rejections?: Readonly<Record<string, readonly ErrorEntry[]>>
  /** Fields of users that sign-up, `/update-user`, administrators and operators set; columns of `tables`. */
  readonly userFields?: UserFields
  /** Events that this feature emits: `'user.created': event<{ user: UserRow }>()`. */
  readonly events?: Readonly<Record<string, EventType>>
  /** Listeners to events, called in the transaction of the code that emits them. */
  readonly on?: Listeners
  /** Periodic work, in one process at a time across all machines. */
  readonly jobs?: Readonly<Record<string, Job>>
  /** Short work that every worker repeats, whatever others do. The first run ends before the worker serves requests. */
  readonly polls?: Readonly<Record<string, Poll>>
  /** Lists that can be exported as files, by name. */
  readonly exportSources?: Readonly<Record<string, ExportSource>>
  /** Metrics that the database knows, so that they are the same for every daemon. */
  readonly gauges?: Gauges
  /** Kinds of mail that this feature sends. */
  readonly mails?: Readonly<Record<string, MailKind>>
  /** Kinds of text message that this feature sends. */
  readonly texts?: Readonly<Record<string, TextKind>>
  /** What `latchkey seed` does for this feature; idempotent, also when several pipelines run it at the same time. */
  readonly seed?: (app: App, options: SeedOptions) => Promise<readonly SeedResult[]>
}

/** A feature and the name it has in the list. `builtInPermissions`: without those of the configuration. */
export type EnabledFeature = Feature & { readonly name: string; readonly builtInPermissions?: Feature['permissions'] }

/**
 * The features under this configuration, with the tables and indexes that it adds; of a disabled one, only its public settings and the
 * events that it may have recorded.
 */
export const enabledFeatures = (features: Readonly<Record<string, Feature>>, config: Config): EnabledFeature[] =>
  Object.entries(features).flatMap(([name, feature]): EnabledFeature[] => {
    if (feature.enabled?.(config) ?? true) return [{ ...feature, name, ...configuredMembers(feature, config) }]
    const { publicSettings, auditActions } = feature
    return publicSettings || auditActions
      ? [{ name, ...(publicSettings && { publicSettings }), ...(auditActions && { auditActions }) }]
      : []
  })

const configuredMembers = (feature: Feature, config: Config): Partial<EnabledFeature> => ({
  ...withConfiguredTables(feature, config),
  ...withConfiguredPermissions(feature, config),
  ...(feature.configuredIndexes && { indexes: mergeIndexes([feature, { indexes: feature.configuredIndexes(config) }]) }),
})

/** A configured column wins over a declared one of its name; `checkConfig` rejects those of additional fields. */
function withConfiguredTables({ tables = {}, configuredTables }: Feature, config: Config): Pick<Feature, 'tables'> {
  if (!configuredTables) return {}
  const configured = configuredTables(config)
  const merged = Object.entries(configured).map(([table, columns]) => [table, { ...tables[table], ...columns }])
  return { tables: { ...tables, ...Object.fromEntries(merged) } }
}

function withConfiguredPermissions(
  { permissions, configuredPermissions }: Feature,
  config: Config,
): Pick<EnabledFeature, 'permissions' | 'builtInPermissions'> {
  const builtInPermissions = permissions ?? {}
  if (!configuredPermissions) return { builtInPermissions }
  const configured = { permissions: configuredPermissions(config) }
  return { builtInPermissions, permissions: mergePermissions([{ permissions: builtInPermissions }, configured]) }
}
