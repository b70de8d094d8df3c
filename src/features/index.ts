/** THE LIST. Features in dependency order: a feature imports only features above it. Everything is derived from here. */
import { coreConfig } from '../core/config-sections.ts'
import type { ConfigInput, ConfigOutput } from '../core/config.ts'
import type { Feature } from '../core/feature.ts'
import type { Rows } from '../core/table.ts'
import * as rateLimits from './rate-limits/index.ts'
import * as users from './users/index.ts'
import * as sessions from './sessions/index.ts'
import * as verifications from './verifications/index.ts'
import * as accounts from './accounts/index.ts'
import * as roles from './roles/index.ts'
import * as emailPassword from './email-password/index.ts'
import * as setup from './setup/index.ts'
import * as meta from './meta/index.ts'
import * as openAPI from './open-api/index.ts'

export const features = { rateLimits, users, sessions, verifications, accounts, roles, emailPassword, setup, meta, openAPI }

/** The features as `app` and `http` see them, by their well-known exports. */
export const featureList: Readonly<Record<string, Feature>> = features

type Features = typeof features
// `K extends keyof` and not `infer`: asking for the shape of a whole module would resolve its handlers, which mention
// the types below, and the compiler would report a cycle.
type Member<K extends string> = { [F in keyof Features]: K extends keyof Features[F] ? Features[F][K] : never }[keyof Features]
type Merge<U> = (U extends unknown ? (member: U) => void : never) extends (merged: infer M) => void ? M : never

/** All tables with the columns that every feature gave them. */
export type DeclaredTables = Merge<Member<'tables'>>
export type Database = Rows<DeclaredTables>
type Shape = typeof coreConfig & Merge<Member<'config'>>
/** The complete, frozen configuration of a running installation. */
export type Config = ConfigOutput<Shape>
/** What may be written in `auth.config.ts`. */
export type ConfigFile = ConfigInput<Shape>
/** Every call, by its key: `'POST /sign-in/email'`. */
export type Api = Merge<Member<'routes'>>
/** resource → actions that some feature declares. */
export type Permissions = Merge<Member<'permissions'>>
