/** The options of `auth.config.ts` with which a moved application behaves as before, and what no option restores. */
import { type MoveCondition, type MoveDifference, moveDifferences } from '../differences.ts'
import type { Facts } from './facts.ts'
import type { Recognized } from './recognition.ts'
import type { KindName } from './shapes.ts'
import type { SourceColumn } from './source.ts'

/** What `--auth` reads of the application's own file: values only, and the paths of functions. */
export interface AuthOptions {
  readonly values: Readonly<Record<string, unknown>>
  readonly functions: readonly string[]
  readonly plugins: readonly { readonly id: string; readonly options: Readonly<Record<string, unknown>> }[]
}

export interface DerivedOption {
  /** As in `session.expiresIn`. */
  readonly path: string
  readonly value: unknown
  /** In place of the value in the file, such as `process.env.GITHUB_CLIENT_ID`. */
  readonly code?: string
  readonly reason: string
}

export interface Derived {
  readonly options: readonly DerivedOption[]
  /** What the operator or the application must do, in sentences. */
  readonly notes: readonly string[]
  readonly differences: readonly MoveDifference[]
}

const monthMs = 30 * 86_400_000

/** @param now by which sessions are old */
export function derive(recognized: Recognized, facts: Facts, auth: AuthOptions | null, now: Date): Derived {
  const options = [
    ...secretOptions(auth),
    ...cookieOptions(auth),
    ...featureOptions(recognized, facts, auth),
    ...sessionOptions(facts, auth, now),
    ...fieldOptions(recognized),
    ...roleOptions(facts),
    ...providerOptions(facts),
    ...copiedOptions(auth),
  ]
  const differences = moveDifferences.filter(({ condition }) => applies(condition, recognized, facts, auth, now))
  return { options, notes: notesOf(recognized, facts, auth), differences }
}

const at = (values: AuthOptions['values'] | undefined, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value ?? {}), name), values)

const secretOptions = (auth: AuthOptions | null): DerivedOption[] => [
  {
    ...{ path: 'secret', value: undefined, code: 'process.env.BETTER_AUTH_SECRET' },
    reason: 'the same secret, so that the cookies of your users stay valid; later, add a new one before it',
  },
  ...(typeof at(auth?.values, 'baseURL') === 'string'
    ? [{ path: 'baseURL', value: at(auth?.values, 'baseURL'), reason: 'redirect URIs and links stay valid' }]
    : []),
]

function cookieOptions(auth: AuthOptions | null): DerivedOption[] {
  const prefix = at(auth?.values, 'advanced.cookiePrefix') ?? 'better-auth'
  return [{ path: 'advanced.cookiePrefix', value: prefix, reason: 'your cookies have this prefix' }]
}

const has = ({ tables }: Recognized, kind: KindName, column?: string): boolean =>
  tables.has(kind) && (column === undefined || tables.get(kind)?.columns[column] !== undefined)

function featureOptions(recognized: Recognized, facts: Facts, auth: AuthOptions | null): DerivedOption[] {
  const section = (path: string, isOn: boolean, value: unknown, reason: string): DerivedOption[] =>
    isOn ? [{ path, value, reason }] : []
  const sendsMail = auth?.functions.includes('emailVerification.sendVerificationEmail') ?? facts.verifiedUsers > 0
  return [
    ...section('emailAndPassword.enabled', facts.passwords > 0, true, `${facts.passwords} users have a password`),
    ...section(
      'emailAndPassword.minPasswordLength',
      facts.passwords > 0,
      at(auth?.values, 'emailAndPassword.minPasswordLength') ?? 8,
      'as before',
    ),
    ...section('emailVerification.sendOnSignUp', sendsMail, true, 'users have verified email addresses'),
    ...section('admin', has(recognized, 'user', 'banned'), true, 'the table of users has roles and bans'),
    ...section('username', has(recognized, 'user', 'username'), true, 'the table of users has usernames'),
    ...section('phoneNumber', has(recognized, 'user', 'phoneNumber'), true, 'the table of users has phone numbers'),
    ...section('anonymous', has(recognized, 'user', 'isAnonymous'), true, 'the table of users has anonymous users'),
    ...section('organization', has(recognized, 'organization'), organizationValue(recognized), 'there are organizations'),
    ...section('apiKey', has(recognized, 'apikey'), keysValue(recognized, facts), 'there are API keys'),
    ...section('jwt', has(recognized, 'jwks'), true, 'there are signing keys'),
    ...section('twoFactor', has(recognized, 'twoFactor'), true, 'there are second factors'),
    ...section('passkey', has(recognized, 'passkey'), true, 'there are passkeys'),
  ]
}

/** Since 1.7 a list of keys is an object, and keys are in sets, of users or of organizations. */
function keysValue(recognized: Recognized, { keySets }: Facts): object {
  const first = keySets.find(({ configId }) => configId === 'default')
  const others = keySets.filter((set) => set !== first).map((set) => ({ ...set, enableMetadata: true }))
  return {
    enableMetadata: true,
    ...(has(recognized, 'apikey', 'referenceId') && { listAsObject: true }),
    ...(first?.references === 'organization' && { references: 'organization' }),
    ...(others.length > 0 && { configurations: others }),
  }
}

const organizationValue = (recognized: Recognized) => ({
  ...(has(recognized, 'team') && { teams: { enabled: true } }),
  ...(has(recognized, 'organizationRole') && { dynamicAccessControl: { enabled: true } }),
})

function sessionOptions({ manySessions, oldestSession }: Facts, auth: AuthOptions | null, now: Date): DerivedOption[] {
  const copied = ['expiresIn', 'updateAge', 'freshAge'].flatMap((name) => {
    const value = at(auth?.values, `session.${name}`)
    return typeof value === 'number' ? [{ path: `session.${name}`, value, reason: 'as before' }] : []
  })
  const isOld = oldestSession !== null && now.getTime() - oldestSession.getTime() > monthMs
  return [
    ...copied,
    ...(isOld
      ? [
          {
            path: 'session.absoluteMaxAge',
            value: 0,
            reason: 'sessions are older than 30 days; remove this a month after the move',
          },
        ]
      : []),
    ...(manySessions > 0
      ? [{ path: 'session.maxPerUser', value: 0, reason: `${manySessions} users have more than 100 sessions` }]
      : []),
  ]
}

/** Columns of the application in the tables of users and sessions. */
function fieldOptions({ tables }: Recognized): DerivedOption[] {
  return (['user', 'session'] as const).flatMap((kind) => {
    const others = tables.get(kind)?.others ?? []
    if (others.length === 0) return []
    const fields = Object.fromEntries(
      others.map((column) => [column.name, { type: fieldType(column), required: false, input: false }]),
    )
    const reason = 'columns of your own; `input: true` lets users set one'
    return [{ path: `${kind}.additionalFields`, value: fields, reason }]
  })
}

function fieldType({ type }: SourceColumn): string {
  if (/^(bool|tinyint\(1\)|bit)/.test(type)) return 'boolean'
  if (/int|decimal|numeric|double|float|real/.test(type)) return 'number'
  return /date|time/.test(type) ? 'date' : 'string'
}

const builtInRoles = ['user', 'admin']
const builtInMemberRoles = ['owner', 'admin', 'member']

function roleOptions({ roles, memberRoles }: Facts): DerivedOption[] {
  const own = roles.filter((name) => !builtInRoles.includes(name))
  const ofMembers = memberRoles.filter((name) => !builtInMemberRoles.includes(name))
  const empty = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]))
  return [
    ...(own.length > 0 ? [{ path: 'seed.roles', value: empty(own), reason: 'roles of your own: list what each permits' }] : []),
    ...(ofMembers.length > 0
      ? [{ path: 'organization.roles', value: empty(ofMembers), reason: 'roles of members: list what each permits' }]
      : []),
  ]
}

const variableOf = (provider: string, name: string): string => `${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_${name}`

function providerOptions({ socialProviders }: Facts): DerivedOption[] {
  return socialProviders.flatMap((provider) => {
    const member = /^\w+$/.test(provider) ? provider : JSON.stringify(provider)
    return [
      {
        path: `socialProviders.${member}`,
        value: undefined,
        code: `{ clientId: process.env.${variableOf(provider, 'CLIENT_ID')}, clientSecret: process.env.${variableOf(provider, 'CLIENT_SECRET')} }`,
        reason: 'users have accounts of this provider',
      },
    ]
  })
}

const copiedPaths = [
  'appName',
  'basePath',
  'trustedOrigins',
  'advanced.useSecureCookies',
  'advanced.crossSubDomainCookies',
  'advanced.defaultCookieAttributes',
  'session.cookieCache',
  'rateLimit.window',
  'rateLimit.max',
  'emailAndPassword.maxPasswordLength',
  'emailAndPassword.requireEmailVerification',
  'emailAndPassword.autoSignIn',
  'account.accountLinking.trustedProviders',
  'user.changeEmail.enabled',
  'user.deleteUser.enabled',
]

const copiedOptions = (auth: AuthOptions | null): DerivedOption[] =>
  copiedPaths.flatMap((path) => {
    const value = at(auth?.values, path)
    return value === undefined || value === null ? [] : [{ path, value, reason: 'as before' }]
  })

function notesOf({ left }: Recognized, facts: Facts, auth: AuthOptions | null): string[] {
  return [
    ...left.map(({ table, reason }) => `The table ${table} stays behind: ${reason}.`),
    ...(auth?.functions ?? []).map((path) => `${path} is a function. Copy it to the option of this name, or replace it.`),
    ...(auth === null
      ? ['Without --auth, options outside of the database are not known: cookie attributes, limits, hooks, mail functions.']
      : []),
    ...(facts.hasNumberIds ? ['IDs are numbers. Choose with --ids digits or --ids text what new users get.'] : []),
    ...facts.integerReferences.map(
      (name) => `${name} refers to users and is an integer: new IDs fit a bigint only, with --ids digits.`,
    ),
    ...(facts.referringTables.length > 0
      ? [
          `Tables of yours refer to users or sessions: ${facts.referringTables.join(', ')}. Point them to Latchkey's tables, or drop the references.`,
        ]
      : []),
  ]
}

function applies(condition: MoveCondition, recognized: Recognized, facts: Facts, auth: AuthOptions | null, now: Date): boolean {
  const hasOrganizations = has(recognized, 'organization')
  const conditions: Readonly<Record<MoveCondition, boolean>> = {
    always: true,
    longSessions:
      facts.manySessions > 0 || (facts.oldestSession !== null && now.getTime() - facts.oldestSession.getTime() > monthMs),
    verificationMail: facts.verifiedUsers > 0,
    unverifiedPasswords: facts.socialProviders.length > 0 && facts.unverifiedPasswords > 0,
    unverifiedInvitees: hasOrganizations && facts.verifiedUsers === 0,
    apiKeys: (facts.rows.apikey ?? 0) > 0,
    phoneNumbers: has(recognized, 'user', 'phoneNumber'),
    otherOrigins: at(auth?.values, 'trustedOrigins') !== undefined || auth?.functions.includes('trustedOrigins') === true,
  }
  return conditions[condition]
}
