/** A line of an export or import file: its schema, and the rows that it becomes. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { columnsOf } from '../../core/table.ts'
import { createId } from '../../core/write.ts'
import { hasNoPassword, readImportedHash } from '../../lib/imported-hashes.ts'
import { missingHashSecret, nameSignerKey } from '../../lib/keyed-hashes.ts'
import { readLocale } from '../../lib/locale.ts'
import { isPlaceholderEmail } from '../../lib/placeholder-email.ts'
import { readWeakHash, type WeakHash } from '../../lib/weak-hashes.ts'
import type { AccountDraft } from '../accounts/index.ts'
import { fieldSchema } from '../custom-fields/index.ts'
import { draftPasskeys, type GivenPasskey, type PasskeyRow } from '../passkeys/index.ts'
import type { GivenFactors } from '../second-factor/index.ts'
import { defaultUserFields, emailAddress } from '../users/index.ts'
import { factorMembers, readFactors } from './factor-line.ts'
import { columnSchema, formOf, lineObject, time, truth } from './line-values.ts'
import { passkeyMembers, readPasskeys } from './passkey-line.ts'

/** Fits into the column even if every character takes four bytes. */
const maxHashLength = 16_000
const id = z.string().regex(/^[\x21-\x7e]{1,36}$/, 'expected 36 printable ASCII characters at most')

/** What an import does with hashes that are too quick to guess; without a choice, their lines are invalid. */
export type WeakChoice = 'wrap' | 'drop' | undefined

const weakAdvice =
  'Import it with --weak wrap, which hashes it again with argon2id, or with --weak drop, which imports the user without a password'

function readPassword({ config }: App, choice: WeakChoice, given: string, check: z.RefinementCtx): string | WeakHash | null {
  if (hasNoPassword(given)) return null
  const text = nameSignerKey(given, config.passwordHash)
  const missing = missingHashSecret(text, config.passwordHash)
  if (missing !== null) {
    check.addIssue(`the hash needs a secret that is not configured: ${missing}`)
    return z.NEVER
  }
  const stored = readImportedHash(text)
  if (stored !== null) return stored
  const weak = readWeakHash(text)
  if (weak && choice === undefined) check.addIssue(`a weak hash: ${weak.form}. ${weakAdvice}`)
  if (weak) return choice === 'wrap' ? weak : null
  // A custom hash function may write any text.
  if (text !== '' && config.emailAndPassword.password.verify !== undefined) return text
  check.addIssue('a hash of an unknown scheme, or one that is too expensive to verify')
  return z.NEVER
}

const accountSchema = (app: App, choice: WeakChoice) =>
  lineObject({
    providerId: z.string().min(1).max(64),
    accountId: z.string().min(1).max(255).optional(),
    password: z
      .string()
      .max(maxHashLength)
      .transform((text, check) => readPassword(app, choice, text, check))
      .nullish(),
    mustReplacePassword: truth.optional(),
    scope: z.string().max(16_000).nullish(),
    createdAt: time.optional(),
    updatedAt: time.optional(),
  })
export type AccountLine = z.output<ReturnType<typeof accountSchema>>

/** Features and the configuration add columns. */
interface UserPart {
  readonly id?: string | undefined
  readonly email: string
  readonly [column: string]: unknown
}
export interface UserLine {
  readonly user: UserPart
  readonly accounts: readonly AccountLine[]
  /** Null: sign-ins of the user ask for none. */
  readonly factors: GivenFactors | null
  readonly passkeys: readonly GivenPasskey[]
  /** The user was moved without a password. */
  readonly setUpAtSignIn?: boolean | undefined
  /** The user was moved without their second factor. */
  readonly setUpFactorAtSignIn?: boolean | undefined
}

/**
 * The members of a line have the names that the API uses for the columns.
 * @param formerSecrets of better-auth, which encrypted second factors
 */
export function userLineSchema(app: App, choice: WeakChoice, formerSecrets: readonly string[]): z.ZodType<UserLine> {
  const columns = columnsOf(app, 'user')
  const fields = Object.values(app.config.user.additionalFields)
  const names = Object.entries(app.config.user.additionalFields).map(([name, { fieldName = name }]) => fieldName)
  const known = Object.entries(columns).filter(([, { internal }]) => !internal)
  const shape = known.map(([name, column]) => {
    const field = fields[names.indexOf(name)]
    return [column.outputName ?? name, (field ? fieldSchema(field) : (formOf[name] ?? columnSchema(column))).nullish()]
  })
  const locale = localeShape(app, Object.keys(Object.fromEntries(shape)))
  const user = lineObject({
    ...Object.fromEntries(shape),
    ...locale,
    id: id.optional(),
    email: emailAddress.toLowerCase(),
  }).refine(
    // An export has users of providers without addresses; no such address was ever verified.
    (given) => given.emailVerified !== true || !isPlaceholderEmail(String(given.email)),
    { path: ['emailVerified'], error: 'must be false for an email address that receives no mail' },
  )
  const line = lineObject({
    schema: z.literal('export-users/v1').optional(),
    user,
    accounts: z.array(accountSchema(app, choice)).max(100).default([]).superRefine(checkAccounts),
    setUpAtSignIn: truth.optional(),
    ...(app.config.twoFactor.enabled && { setUpFactorAtSignIn: truth.optional() }),
    ...factorMembers(app),
    ...passkeyMembers(app),
  }).transform((given, check) => {
    const factors = readFactors(app, given, formerSecrets, check)
    const user = { ...given.user, ...languageOf(app, given.user), ...(factors && { twoFactorEnabled: true }) }
    return { ...given, user, factors, passkeys: readPasskeys(given) }
  })
  return line as unknown as z.ZodType<UserLine>
}

/**
 * The language of a user: a tag with or without a region, or a number; null for one that is not configured.
 * @param names of the members of a line
 */
function localeShape({ config }: App, names: readonly string[]): Readonly<Record<string, z.ZodType>> {
  const language = z
    .union([z.string().max(255), z.number()])
    .nullish()
    .transform((given) => (given === undefined ? undefined : readLocale(given, config.dashboard.locales)))
  if (config.user.locale.enabled) return { locale: language }
  return { preferredLocale: language, ...(!names.includes('locale') && { locale: language }) }
}

/** What another system calls `locale`, where no column has this name. */
function languageOf({ config }: App, given: Readonly<Record<string, unknown>>): object {
  if (config.user.locale.enabled || given.locale === undefined || config.user.additionalFields.locale) return {}
  return { locale: undefined, preferredLocale: given.preferredLocale ?? given.locale }
}

function checkAccounts(accounts: readonly AccountLine[], check: z.RefinementCtx): void {
  const keys = accounts.map(({ providerId, accountId }) =>
    providerId === 'credential' ? providerId : `${providerId} ${accountId}`,
  )
  accounts.forEach(({ providerId, accountId, password }, position) => {
    const isCredential = providerId === 'credential'
    if (!isCredential && accountId === undefined)
      check.addIssue({ code: 'custom', path: [position, 'accountId'], message: 'is required' })
    if (!isCredential && password)
      check.addIssue({ code: 'custom', path: [position, 'password'], message: 'is allowed for a credential account only' })
    if (keys.indexOf(keys[position] ?? '') !== position)
      check.addIssue({ code: 'custom', path: [position], message: 'is listed twice' })
  })
}

/** A weak hash is hashed again before it is written. */
export type AccountLineDraft = Omit<AccountDraft, 'password'> & { readonly password: string | WeakHash | null }

export interface UserDrafts {
  readonly user: UserRow
  readonly accounts: readonly AccountLineDraft[]
  readonly factors: GivenFactors | null
  readonly passkeys: readonly PasskeyRow[]
  readonly setUpAtSignIn: boolean
}

/** @returns a function that drafts the rows of a line. Every column gets a value, so that one statement can insert many users. */
export function userDrafting(app: App): (line: UserLine) => UserDrafts {
  const columns = Object.entries(columnsOf(app, 'user')).map(([name, column]) => ({
    ...{ name, member: column.outputName ?? name, isNullable: column.nullable, default: column.default ?? null },
  }))
  return ({ user: given, accounts, factors, passkeys, setUpAtSignIn, setUpFactorAtSignIn }) => {
    const now = app.now()
    const missing: Readonly<Record<string, unknown>> = {
      ...{ name: '', emailVerified: false, ...defaultUserFields(app) },
      ...{ id: given.id ?? createId(app, 'user'), createdAt: now, updatedAt: now },
    }
    const row: Record<string, unknown> = {}
    for (const { name, member, isNullable, default: value } of columns) {
      const own = given[member]
      const isGiven = own !== undefined && (own !== null || isNullable)
      row[name] = isGiven ? own : (missing[name] ?? value)
    }
    if (setUpFactorAtSignIn && factors === null) row.mustSetUpFactor = true
    const user = row as unknown as UserRow
    const drafts = accounts.map((account) => draftAccount(app, user, account))
    const hasPassword = drafts.some(({ password }) => password !== null)
    return {
      ...{ user, accounts: drafts, factors, passkeys: passkeys.length > 0 ? draftPasskeys(app, user.id, passkeys) : [] },
      setUpAtSignIn: setUpAtSignIn === true && !hasPassword,
    }
  }
}

function draftAccount(app: App, user: UserRow, given: AccountLine): AccountLineDraft {
  const { providerId, accountId, password = null, scope = null, createdAt = user.createdAt, updatedAt = createdAt } = given
  const isCredential = providerId === 'credential'
  return {
    id: createId(app, 'account'),
    userId: user.id,
    providerId,
    accountId: isCredential || accountId === undefined ? user.id : accountId,
    password,
    mustReplacePassword: isCredential && password !== null && given.mustReplacePassword === true,
    scope,
    createdAt,
    updatedAt,
  }
}
