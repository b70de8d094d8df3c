import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { type ConfigIssue, group } from '../../core/config.ts'
import { defineErrors } from '../../core/errors.ts'
import { type Feature, ofAccount, settings } from '../../core/feature.ts'
import { streamPages } from '../../core/pages.ts'
import type { UserRow } from '../../core/request.ts'
import { isoDate, viewOf } from '../../core/schemas.ts'
import {
  boolean,
  columnsOf,
  defaultRow,
  type Indexes,
  id,
  index,
  integer,
  internal,
  nullable,
  string,
  type Tables,
  text,
  timestamp,
  unique,
} from '../../core/table.ts'
import { hookable } from '../../core/write.ts'
import {
  additionalColumns,
  additionalFieldIssues,
  additionalFields,
  additionalIndexes,
  defaultFields,
  describeFields,
  fieldDescriptions,
} from '../custom-fields/index.ts'
import type { Config, DeclaredTables } from '../index.ts'
import { nameCheckJob, readNamesAgain, wordTables } from './name-words.ts'
import { sortNameJob } from './sort-name.ts'

/**
 * Contract 08. The email address is stored in lower case. Its collation is binary, so that an address with an accent is never equal
 * to one without. `accessRevision` grows with each change of the user's sign-in methods. `sortName` is the start of the name in lower
 * case; it is null until a job has read the name of a row that an application inserted.
 */
export const tables = {
  user: {
    id: id(),
    name: text(),
    email: unique(string({ length: 320 })),
    emailVerified: boolean({ default: false }),
    image: nullable(text()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    accessRevision: internal(integer({ default: 0 })),
    sortName: internal(nullable(string({ length: 64 }))),
  },
  ...wordTables,
}

export const indexes = { userWord: [index('userId', 'word')] }

export const config = {
  ...hookable('user', 'users'),
  user: group('Users', { additionalFields: additionalFields() }),
}

/** Keys in the body of sign-up that are not columns. */
const reserved = ['password', 'callbackURL', 'rememberMe', 'token']

export const checkConfig = ({ user }: Config, enabled: readonly Feature[]): ConfigIssue[] =>
  additionalFieldIssues('user', user.additionalFields, [...reserved, ...Object.keys(tables.user)], enabled)

export const errors = defineErrors({
  INVALID_EMAIL: [400, 'Invalid email'],
  USER_ALREADY_EXISTS: [422, 'User already exists'],
  FAILED_TO_CREATE_USER: [422, 'Failed to create user'],
  FAILED_TO_UPDATE_USER: [422, 'Failed to update user'],
})

export const publicSettings = settings({ userFields: fieldDescriptions }, ({ user }) => ({
  userFields: describeFields(user.additionalFields),
}))

/** Columns that the configuration adds to users (contract 01 §1). */
export const configuredTables = ({ user }: Pick<Config, 'user'>): Tables => ({ user: additionalColumns(user.additionalFields) })

export const configuredIndexes = ({ user }: Pick<Config, 'user'>): Indexes => ({ user: additionalIndexes(user.additionalFields) })

/** Default values of additional fields. */
export const defaultUserFields = ({ config }: App): object => defaultFields(config.user.additionalFields)

/** The seven members of a user in sign-in responses (contract 01, "User7"). */
export const userView = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    image: z.string().nullable(),
    emailVerified: z.boolean(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ title: 'SignedInUser' })

export type UserView = z.input<typeof userView>

/** The schema of a user as get-session returns it: every visible column, also those of other features. */
export const fullUser = (tables: Tables) => viewOf<DeclaredTables['user']>(tables.user).meta({ title: 'User' })

const viewOfUser = memo((app: App) => fullUser({ user: columnsOf(app, 'user') }))

/** A user as JSON: every visible column, with times as ISO 8601 strings. */
export type DescribedUser = z.output<typeof userView> & Readonly<Record<string, unknown>>

/** A user as JSON, for mails and functions of the configuration. */
export function describeUser(app: App, user: UserRow): DescribedUser {
  return viewOfUser(app).parse(user) as z.output<typeof userView>
}

/** A user that does not exist, for work whose duration must not reveal that (ASVS 6.3.8). @param email in any case */
export function decoyUser(app: App, email: string): UserRow {
  const now = app.now()
  const row = { id: app.random.id(), name: '', email: email.toLowerCase(), emailVerified: false, createdAt: now, updatedAt: now }
  return { ...defaultRow(app, 'user'), ...row } as UserRow
}

const pageSize = 500

interface UserFilter {
  /** Text in the name, email address, username or phone number, in any case; default: any. */
  readonly search?: string | undefined
  /** A role that the user has, possibly among others. */
  readonly role?: string | undefined
  /** Only users whose email address is not verified. */
  readonly unverified?: boolean | undefined
  /** Only users with a ban that has not expired. */
  readonly banned?: boolean | undefined
  readonly createdSince?: Date | undefined
  /** The id after which to start. */
  readonly after?: string | undefined
}

/**
 * All users in the order of the primary key, so that any number is read in constant memory.
 * @param from the id after which to start; the empty text for all
 */
export const streamUserPages = (app: App, from = ''): AsyncGenerator<UserRow[], void, undefined> =>
  streamPages(pageSize, from, (after) =>
    app.db.selectFrom('user').selectAll().where('id', '>', after).orderBy('id').limit(pageSize).execute(),
  )

/** Every user that matches, in the order of the ids. Users created while it runs may be missing. */
export async function* streamUsers(app: App, filter: UserFilter = {}): AsyncGenerator<UserRow, void, undefined> {
  const criteria = { ...filter, search: filter.search?.toLowerCase() }
  // Filtered here and not in the query: a search for a rare word among millions of rows would exceed the query timeout.
  for await (const users of streamUserPages(app, filter.after))
    for (const user of users) if (matches(app, user, criteria)) yield user
}

const matches = (
  app: App,
  user: UserRow,
  { search, role, unverified = false, banned = false, createdSince }: UserFilter,
): boolean =>
  (search === undefined ||
    [user.email, user.name.toLowerCase(), user.username ?? '', user.phoneNumber ?? ''].some((text) => text.includes(search))) &&
  (role === undefined || (user.role || defaultRole(app)).split(',').includes(role)) &&
  (!unverified || !user.emailVerified) &&
  (!banned || (user.banned === true && (user.banExpires === null || user.banExpires > app.now()))) &&
  (createdSince === undefined || user.createdAt >= createdSince)

const defaultRole = ({ config }: App): string => (config.admin.enabled ? config.admin.defaultRole : '')

/** Every column that is not internal, also hidden ones, under its name in the API. */
export function describeUserRecord(app: App, user: object): Readonly<Record<string, unknown>> {
  const columns = columnsOf(app, 'user')
  const exported = Object.entries(user).filter(([name]) => !columns[name]?.internal)
  return Object.fromEntries(exported.map(([name, value]) => [columns[name]?.outputName ?? name, value]))
}

/** Columns that functions of the configuration do not get. */
const ownColumns = ['accessRevision', 'sortName', 'lastSignInAt', 'activity', 'preferredLocale', 'preferredTimeZone'] as const
/** A user as functions of the configuration get it: the row without these columns. */
export type UserRecord = Omit<UserRow, (typeof ownColumns)[number]>

export const userRecord = (row: UserRow): UserRecord =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !ownColumns.some((own) => own === name))) as UserRecord

/** A user of previews of emails. */
export const exampleUser = ({ now }: Pick<App, 'now'>): DescribedUser => ({
  ...{ id: 'q7Lw4tR9sYb1cE6hZk2p0vXnq7Lw4tR9', name: 'Ida Wolfsgruber', email: 'ida@example.com', image: null },
  ...{ emailVerified: true, createdAt: now().toISOString(), updatedAt: now().toISOString() },
})

/** Actions on users that a role may be granted (contract 05 §1). */
export const permissions = { user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'] } as const

export const auditActions = {
  'user.created': ofAccount('A user was created; `method` is how, such as `password` or `social:github`'),
  'user.updated': 'Fields of a user were changed; `fields` has their names',
  'user.email-changed': ofAccount('The email address of a user was changed'),
  'user.email-verified': ofAccount('The email address of a user was verified'),
  'user.deleted': 'A user was deleted, with all their data',
}

export const jobs = { userSortNames: sortNameJob('user', readNamesAgain), userNames: nameCheckJob }
