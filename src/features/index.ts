/** THE LIST. Features in dependency order: a feature imports only features above it. Everything is derived from here. */

import type { ConfigInput, ConfigOutput } from '../core/config.ts'
import type { coreConfig } from '../core/config-sections.ts'
import type { Feature } from '../core/feature.ts'
import type { Rows } from '../core/table.ts'
import * as accountDeletion from './account-deletion/index.ts'
import * as accounts from './accounts/index.ts'
import * as attempts from './attempts/index.ts'
import * as captcha from './captcha/index.ts'
import * as emailChange from './email-change/index.ts'
import * as emailPassword from './email-password/index.ts'
import * as emailVerification from './email-verification/index.ts'
import * as mailbox from './mailbox/index.ts'
import * as meta from './meta/index.ts'
import * as openAPI from './open-api/index.ts'
import * as outbox from './outbox/index.ts'
import * as passwordChange from './password-change/index.ts'
import * as passwordHashes from './password-hashes/index.ts'
import * as passwordReset from './password-reset/index.ts'
import * as passwordRules from './password-rules/index.ts'
import * as profile from './profile/index.ts'
import * as rateLimits from './rate-limits/index.ts'
import * as roles from './roles/index.ts'
import * as sessions from './sessions/index.ts'
import * as setup from './setup/index.ts'
import * as transfer from './transfer/index.ts'
import * as users from './users/index.ts'
import * as verifications from './verifications/index.ts'

const features = {
  rateLimits,
  mailbox,
  outbox,
  users,
  sessions,
  verifications,
  accounts,
  roles,
  attempts,
  passwordHashes,
  passwordRules,
  emailVerification,
  emailPassword,
  passwordReset,
  passwordChange,
  emailChange,
  accountDeletion,
  profile,
  setup,
  transfer,
  captcha,
  meta,
  openAPI,
}

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
