/** What only a daemon knows of the installation. A worker provides it; features see it as a member of `app`. */
import type { WindowRecord } from '../lib/sliding-window.ts'

/** One option of the configuration, for display: secrets are redacted. */
export interface ShownOption {
  /** As in `server.port`. */
  readonly path: string
  readonly value: unknown
  /** `file`, `default`, `environment DATABASE_URL` or the name of a flag. */
  readonly origin: string
  readonly default: unknown
  readonly description: string | null
}

/** Where an option is set. */
export interface OptionPlace {
  /** Of an option, or of a section, such as `attempts.perAccount`. */
  readonly path: string
  /** Null: not set, or a section. Secrets are redacted. */
  readonly value: unknown
  /** As in `ShownOption`. */
  readonly origin: string
  /** Below the folder of the project, such as `auth.config.ts` or `.env`; null: in none. */
  readonly file: string | null
  /** Of the option, or of the nearest section around it; null: in no file, or not found in it. */
  readonly line: number | null
}

/** A protection that is off or weaker than its default, as `project/protections` finds it. */
interface WeakerOption {
  readonly id: string
  readonly path: string
  readonly message: string
  readonly fix: string
}

interface ShownConfiguration {
  /** Absolute path of the configuration; null when there is none, as in `latchkey dev`. */
  readonly file: string | null
  readonly options: readonly ShownOption[]
  readonly weaker: readonly WeakerOption[]
}

export interface MigrationReport {
  /** Whether the database has migration files; an embedded database is updated at each start instead. */
  readonly keepsFiles: boolean
  readonly files: readonly {
    readonly name: string
    readonly state: 'applied' | 'pending' | 'interrupted' | 'edited' | 'missing'
    readonly appliedAt: Date | null
    readonly appliedBy: string | null
    /** Milliseconds. */
    readonly duration: number | null
  }[]
  /** Changes of the schema that are in no migration. */
  readonly ungenerated: readonly string[]
  /** Differences between the database and the applied migrations. */
  readonly drift: readonly { readonly path: string; readonly message: string }[]
}

/** The rate limit of a call, as far as one IP address or network has used it. */
export interface CallState {
  /** Null for paths on which there is no call. */
  readonly method: string | null
  readonly pattern: string | null
  readonly source: 'customRules' | 'call' | 'guessing' | 'default'
  /** Seconds and calls; false for no limit; `function` when the configuration decides about each request. */
  readonly rule: { readonly window: number; readonly max: number } | false | 'function'
  /** Requests in the current window, or all that are stored if its length is unknown; null if not visible. */
  readonly count: number | null
  readonly lastRequest: Date | null
  /** Seconds until the next request is allowed; null if unknown. */
  readonly wait: number | null
}

export interface CallReport {
  /** The IP address or network that is counted. */
  readonly address: string
  /** Whether this configuration limits requests. */
  readonly enabled: boolean
  readonly storage: 'custom' | 'database' | 'memory' | 'redis'
  /** False if the counters are in the memory of daemons that cannot be queried. */
  readonly seen: boolean
  readonly calls: readonly CallState[]
}

export interface CallFilter {
  /** IP address of a client. */
  readonly address: string
  /** With or without the base path; null for all. */
  readonly path: string | null
}

/** Stores the counts of requests: `RateLimitStore` without its decisions. */
export interface CountStore {
  find(keys: readonly string[]): Promise<(WindowRecord | null)[]>
  delete(keys: readonly string[]): Promise<number>
}

export interface DatabaseReport {
  /** `MySQL 9.7.4`, `SQLite 3.50.4`. */
  readonly product: string
  /** Connections of this process; null for an embedded database. */
  readonly pool: { readonly size: number; readonly active: number; readonly waiting: number } | null
  /** Whether the server accepts no writes. */
  readonly isReadOnly: boolean
}

export interface Installation {
  /** When this worker loaded the configuration. */
  readonly startedAt: Date
  readonly configuration: () => ShownConfiguration
  /** Where the options with these paths are set, in the order of the paths. */
  readonly locate: (paths: readonly string[]) => readonly OptionPlace[]
  /** When the file of the configuration was changed after this worker loaded it; null when it was not. */
  readonly findChange: () => Promise<Date | null>
  readonly migrations: () => Promise<MigrationReport>
  readonly explainCalls: (filter: CallFilter) => Promise<CallReport>
  /** @returns the number of deleted counters */
  readonly clearCalls: (filter: CallFilter) => Promise<number>
  readonly database: () => Promise<DatabaseReport>
  /** Null without Redis. */
  readonly redis: (() => Promise<{ readonly version: string | null; readonly memoryPolicy: string | null }>) | null
  /** Other daemons of this database whose configuration differs, with the parts that do: `admin`, `secret`, `schema`. */
  readonly differences: () => Promise<readonly { readonly daemon: string; readonly parts: readonly string[] }[]>
  /** Workers that serve now, of all daemons. */
  readonly workers: () => Promise<readonly { readonly host: string; readonly process: number; readonly generation: number }[]>
}
