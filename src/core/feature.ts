/** What a feature module may export. Each name is optional; each is a plain value or a function. */
import type { Config } from '../features/index.ts'
import type { App } from './app.ts'
import type { ConfigFault, ConfigShape } from './config.ts'
import type { ErrorEntry } from './errors.ts'
import type { Listeners } from './events.ts'
import type { Identity, IncomingRequest } from './request.ts'
import type { AnyRoute } from './route.ts'
import type { SeedOptions, SeedResult } from './seed.ts'
import type { Indexes, Tables } from './table.ts'

export interface Job {
  /** Seconds between two runs. */
  readonly every: number
  /** @param signal aborted when the daemon stops or another process has taken over */
  readonly run: (app: App, signal: AbortSignal) => Promise<void>
}

export interface Feature {
  /** Sections and options, by their place in `auth.config.ts`; several features may describe one section. */
  readonly config?: ConfigShape
  /** Rules between options, asked once at start: each fault has an id that the docs explain. */
  readonly checkConfig?: (config: Config, enabled: readonly Feature[]) => readonly ConfigFault[]
  /** Absent: always on. Off means that tables, routes and joining points do not exist. */
  readonly enabled?: (config: Config) => boolean
  /** New tables, or columns added to tables of features above (nullable, or with a default). */
  readonly tables?: Tables
  /** One index for each way in which rows of these tables are looked up. */
  readonly indexes?: Indexes
  readonly errors?: Readonly<Record<string, ErrorEntry>>
  /** resource → actions that roles may be given. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  /** `'METHOD /path'` → `route({…})`. */
  readonly routes?: Readonly<Record<string, AnyRoute>>
  /** Who sends this request, or null; asked from the bottom of the list up, the first answer counts. */
  readonly authenticate?: (app: App, request: IncomingRequest) => Identity | null
  /** Looks at a request before limits and routing, for known and unknown paths; throws to refuse it. */
  readonly screen?: (app: App, request: IncomingRequest) => Promise<void> | void
  /** What this feature does when something happens, in the transaction of whatever caused it. */
  readonly on?: Listeners
  /** Work that is done again and again, by one process at a time on any number of machines. */
  readonly jobs?: Readonly<Record<string, Job>>
  /** What `latchkey seed` does for this feature; idempotent, also when ten pipelines run it at once. */
  readonly seed?: (app: App, options: SeedOptions) => Promise<readonly SeedResult[]>
}

/** The names that a feature's `index.ts` may export as values beside its functions. */
export const featureExports = [
  'config',
  'checkConfig',
  'enabled',
  'tables',
  'indexes',
  'errors',
  'permissions',
  'routes',
  'authenticate',
  'screen',
  'on',
  'jobs',
  'seed',
] as const satisfies readonly (keyof Feature)[]

/** A feature and the name it has in the list. */
export type NamedFeature = Feature & { readonly name: string }

/** The features that take part under this configuration, in list order. */
export const enabledFeatures = (features: Readonly<Record<string, Feature>>, config: Config): NamedFeature[] =>
  Object.entries(features)
    .filter(([, feature]) => feature.enabled?.(config) ?? true)
    .map(([name, feature]) => ({ ...feature, name }))
