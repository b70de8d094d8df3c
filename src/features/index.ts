/** The list of all features, in dependency order: a feature imports only features above it. Everything else is derived from it. */
import type { z } from 'zod'
import type { coreConfig } from '../core/core-config.ts'
import type { AccountEvent, Feature } from '../core/feature.ts'
import type { ProofKind } from '../core/sign-in.ts'
import type { Rows } from '../core/table.ts'
import * as accountDeletion from './account-deletion/index.ts'
import * as accountLock from './account-lock/index.ts'
import * as accounts from './accounts/index.ts'
import * as admin from './admin/index.ts'
import * as anonymous from './anonymous/index.ts'
import * as apiKeys from './api-keys/index.ts'
import * as attempts from './attempts/index.ts'
import * as audit from './audit/index.ts'
import * as auditLog from './audit-log/index.ts'
import * as avatars from './avatars/index.ts'
import * as bearer from './bearer/index.ts'
import * as brandPreview from './brand-preview/index.ts'
import * as bulkActions from './bulk-actions/index.ts'
import * as captcha from './captcha/index.ts'
import * as customFields from './custom-fields/index.ts'
import * as customSession from './custom-session/index.ts'
import * as dashboard from './dashboard/index.ts'
import * as dataExport from './data-export/index.ts'
import * as disclosures from './disclosures/index.ts'

import * as emailChange from './email-change/index.ts'
import * as emailCodes from './email-codes/index.ts'
import * as emailPassword from './email-password/index.ts'
import * as emailVerification from './email-verification/index.ts'
import * as explanations from './explanations/index.ts'
import * as exportAll from './export-all/index.ts'
import * as firstVerification from './first-verification/index.ts'
import * as haveIBeenPwned from './haveibeenpwned/index.ts'
import * as incidents from './incidents/index.ts'
import * as inviteLinks from './invite-links/index.ts'
import * as jwt from './jwt/index.ts'
import * as lastLoginMethod from './last-login-method/index.ts'
import * as listExports from './list-exports/index.ts'
import * as magicLink from './magic-link/index.ts'
import * as mailbox from './mailbox/index.ts'
import * as meta from './meta/index.ts'
import * as move from './move/index.ts'
import * as moveTrial from './move-trial/index.ts'
import * as movedUsers from './moved-users/index.ts'
import * as multiSession from './multi-session/index.ts'
import * as notices from './notices/index.ts'
import * as oneMailbox from './one-mailbox/index.ts'
import * as oneTimeToken from './one-time-token/index.ts'
import * as openAPI from './open-api/index.ts'
import * as operations from './operations/index.ts'
import * as organizationKeys from './organization-keys/index.ts'
import * as organizations from './organizations/index.ts'
import * as outbox from './outbox/index.ts'
import * as pages from './pages/index.ts'
import * as passkeys from './passkeys/index.ts'
import * as passwordChange from './password-change/index.ts'
import * as passwordHashes from './password-hashes/index.ts'
import * as passwordReset from './password-reset/index.ts'
import * as passwordRules from './password-rules/index.ts'
import * as phoneNumber from './phone-number/index.ts'
import * as preferences from './preferences/index.ts'
import * as profile from './profile/index.ts'
import * as rateLimits from './rate-limits/index.ts'
import * as requestHooks from './request-hooks/index.ts'
import * as roles from './roles/index.ts'
import * as secondFactor from './second-factor/index.ts'
import * as secondFactorRules from './second-factor-rules/index.ts'
import * as securityTxt from './security-txt/index.ts'
import * as sessions from './sessions/index.ts'
import * as setup from './setup/index.ts'
import * as signInExplanation from './sign-in-explanation/index.ts'
import * as signInPolicy from './sign-in-policy/index.ts'
import * as signUpPolicy from './sign-up-policy/index.ts'
import * as socialSignIn from './social-sign-in/index.ts'
import * as statistics from './statistics/index.ts'
import * as terms from './terms/index.ts'
import * as transfer from './transfer/index.ts'
import * as username from './username/index.ts'
import * as users from './users/index.ts'
import * as verifications from './verifications/index.ts'
import * as waitingList from './waiting-list/index.ts'

const features = {
  requestHooks,
  customFields,
  pages,
  dashboard,
  rateLimits,
  mailbox,
  audit,
  outbox,
  users,
  signUpPolicy,
  oneMailbox,
  sessions,
  preferences,
  verifications,
  accounts,
  roles,
  attempts,
  notices,
  passwordHashes,
  haveIBeenPwned,
  passwordRules,
  emailVerification,
  emailPassword,
  firstVerification,
  setup,
  organizations,
  socialSignIn,
  passwordReset,
  passwordChange,
  emailChange,
  accountDeletion,
  profile,
  avatars,
  username,
  phoneNumber,
  emailCodes,
  magicLink,
  lastLoginMethod,
  admin,
  accountLock,
  inviteLinks,
  waitingList,
  bulkActions,
  statistics,
  auditLog,
  jwt,
  bearer,
  secondFactor,
  passkeys,
  secondFactorRules,
  signInExplanation,
  signInPolicy,
  // After `secondFactor`, whose delays it shows and resets.
  operations,
  incidents,
  // After `operations`, `signInExplanation` and `incidents`, whose states it shows.
  explanations,
  brandPreview,
  anonymous,
  // After `anonymous`: the session of a user who was handed over and deleted needs no cookie.
  multiSession,
  oneTimeToken,
  apiKeys,
  organizationKeys,
  customSession,
  movedUsers,
  transfer,
  moveTrial,
  move,
  // After `move`, whose tables of better-auth it writes.
  exportAll,
  dataExport,
  // After the second factors: a thief who knows the password only must learn nothing, and decline nothing.
  terms,
  // After every feature whose lists it exports.
  listExports,
  // After every feature whose calls it records.
  disclosures,
  captcha,
  securityTxt,
  meta,
  openAPI,
}

/** The features as `app` and `http` see them, by their well-known exports. */
export const featureList: Readonly<Record<string, FeatureModule>> = features
/** A feature may declare nothing of its own, as long as other features can call it. */
type FeatureModule = Feature & Readonly<Record<string, unknown>>

type Features = typeof features
// `K extends keyof` and not `infer`: asking for the shape of a whole module would resolve its handlers, which mention
// the types below, and the compiler would report a cycle.
type Member<K extends string> = { [F in keyof Features]: K extends keyof Features[F] ? Features[F][K] : never }[keyof Features]
type Merge<U> = (U extends unknown ? (member: U) => void : never) extends (merged: infer M) => void ? M : never

/** All tables with the columns that every feature gave them. */
export type DeclaredTables = Merge<Member<'tables'>>
export type Database = Rows<DeclaredTables>
type ConfigOutput<S> = { readonly [K in keyof S]: OptionOutput<S[K]> }
type OptionOutput<T> = T extends { kind: 'section'; mode: infer M; shape: infer S }
  ? M extends 'always'
    ? ConfigOutput<S>
    : { readonly enabled: boolean } & ConfigOutput<S>
  : T extends z.ZodType
    ? z.output<T>
    : never

/** The input of declared options; `ConfigFile` is the same type, written out with descriptions. */
export type ConfigInput<S> = { [K in keyof S]?: OptionInput<S[K]> | undefined }
type OptionInput<T> = T extends { kind: 'section'; mode: infer M; shape: infer S }
  ? M extends 'always'
    ? ConfigInput<S>
    : M extends 'flag'
      ? { enabled?: boolean } & ConfigInput<S>
      : boolean | ({ enabled?: boolean } & ConfigInput<S>)
  : T extends z.ZodType
    ? z.input<T>
    : never

/** All options that every feature declares. */
export type DeclaredConfig = typeof coreConfig & Merge<Member<'config'>>
/** The complete, frozen configuration of a running installation. */
export type Config = ConfigOutput<DeclaredConfig>
/** The events of every feature, by name. */
export type Events = Merge<Member<'events'>>
type SettingsOutput<S> = S extends { shape: infer P }
  ? { readonly [K in keyof P]: P[K] extends z.ZodType ? z.output<P[K]> : never }
  : never
/** What pages know before sign-in, as `GET /public-settings` returns it. */
export type PublicSettings = Merge<SettingsOutput<Member<'publicSettings'>>>
type ChallengeOutput<C, K> = C extends { kinds: readonly (infer P)[]; returns: infer R extends z.ZodType }
  ? [Extract<P, K>] extends [never]
    ? never
    : z.output<R>
  : never
/** The bodies with which features demand more before a sign-in of these kinds creates a session. */
export type ChallengeBody<K = ProofKind> = ChallengeOutput<Member<'challenge'>, K>
/** Every event of the audit log, by its name. */
export type AuditActions = Merge<Member<'auditActions'>>
/** Those that users may read. */
export type SecurityAction = { [A in keyof AuditActions]: AuditActions[A] extends AccountEvent ? A : never }[keyof AuditActions]
/** Every call, by its key: `'POST /sign-in/email'`. */
export type Api = Merge<Member<'routes'>>

export type { ConfigFile } from '../config-file.ts'
export type { LinkedAccounts } from './anonymous/index.ts'
export type { Attempt } from './attempts/index.ts'
export type { CurrentSession, CustomSession } from './custom-session/index.ts'
export type { TokenOwner } from './one-time-token/index.ts'
export type * from './request-hooks/index.ts'
