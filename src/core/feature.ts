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

/** What a mail says; text and HTML are made from it. */
export interface MailContent {
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  readonly footnote?: string
}

/** A kind of mail. Its data is JSON. */
export interface MailKind {
  /** A function of the configuration that sends it in place of our own mail. */
  readonly callback: (config: Config) => ((data: never) => unknown) | undefined
  readonly render: (data: never, app: App) => MailContent
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
  /** Columns that the configuration names; the compiler does not know them. */
  readonly configuredTables?: (config: Config) => Tables
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
  /** Kinds of mail that this feature sends. */
  readonly mails?: Readonly<Record<string, MailKind>>
  /** What `latchkey seed` does for this feature; idempotent, also when ten pipelines run it at once. */
  readonly seed?: (app: App, options: SeedOptions) => Promise<readonly SeedResult[]>
}

/** The names that a feature's `index.ts` may export as values beside its functions. */
export const featureExports = [
  'config',
  'checkConfig',
  'enabled',
  'tables',
  'configuredTables',
  'indexes',
  'errors',
  'permissions',
  'routes',
  'authenticate',
  'screen',
  'on',
  'jobs',
  'mails',
  'seed',
] as const satisfies readonly (keyof Feature)[]

/** A feature and the name it has in the list. */
export type NamedFeature = Feature & { readonly name: string }

/** The features that take part under this configuration, in list order; their `tables` include the configured columns. */
export const enabledFeatures = (features: Readonly<Record<string, Feature>>, config: Config): NamedFeature[] =>
  Object.entries(features)
    .filter(([, feature]) => feature.enabled?.(config) ?? true)
    .map(([name, feature]) => ({ ...feature, name, ...withConfiguredTables(feature, config) }))

/** A declared column wins over a configured one of its name, which `checkConfig` of the feature refuses. */
function withConfiguredTables({ tables = {}, configuredTables }: Feature, config: Config): Pick<Feature, 'tables'> {
  if (!configuredTables) return {}
  const configured = configuredTables(config)
  const merged = Object.entries(configured).map(([table, columns]) => [table, { ...columns, ...tables[table] }])
  return { tables: { ...tables, ...Object.fromEntries(merged) } }
}
