/** Turns a user of another system into a line of an import, under the configuration. */
import { createHash } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { hasNoPassword, readImportedHash } from '../../lib/imported-hashes.ts'
import { missingHashSecret, nameSignerKey, signerKeyIn } from '../../lib/keyed-hashes.ts'
import { readPasswordFormat } from '../../lib/password-formats.ts'
import { placeholderEmail } from '../../lib/placeholder-email.ts'
import { addressForm, isEmailAddress, isImageURL } from '../../lib/text.ts'
import { parseBase32 } from '../../lib/totp.ts'
import { readWeakHash } from '../../lib/weak-hashes.ts'
import { readOwnedFields } from '../users/index.ts'
import type { Note, SourceUser, SystemName } from './readers/index.ts'
import { takeMetadata } from './taken-metadata.ts'

export interface MoveOptions {
  readonly system: SystemName
  readonly weak: 'wrap' | 'drop'
  /** `verified`: joins two users with the same verified address when the second has no password. */
  readonly merge: 'verified' | undefined
  readonly newIds: boolean
  /** Users whose second factor is not in the export set one up at their next sign-in. */
  readonly requireFactors: boolean
  /** By field: the path in the metadata of the export. */
  readonly fields: ReadonlyMap<string, string>
  /** By role or group of the export: a role here. */
  readonly roles: ReadonlyMap<string, string>
}

interface LineAccount {
  readonly providerId: string
  readonly accountId?: string
  readonly password?: string
  readonly mustReplacePassword?: boolean
  readonly scope?: string
}

/** A line of an import. */
export interface MovedUser {
  readonly user: {
    readonly id?: string
    readonly email: string
    readonly emailVerified: boolean
    readonly [column: string]: unknown
  }
  readonly accounts: readonly LineAccount[]
  readonly secondFactor?: object
  /** The user has no password: a failed sign-in may send them a link. */
  readonly setUpAtSignIn?: true
  /** The user had a second factor that could not be moved, and must set one up. */
  readonly setUpFactorAtSignIn?: true
}

export interface PreparedUser {
  /** Null for a user who is left out, for the last reason of the notes. */
  readonly moved: MovedUser | null
  readonly notes: readonly Note[]
  /** Keys of metadata that no field takes. */
  readonly dropped: readonly string[]
}

export async function prepareUser(app: App, given: SourceUser, options: MoveOptions): Promise<PreparedUser> {
  const notes: Note[] = []
  const leftOut = given.leftOut ?? reasonToLeaveOut(app, given, options)
  if (leftOut) return { moved: null, notes: [leftOut], dropped: [] }
  const names = await readNames(app, given, notes)
  const accounts = given.accounts ?? []
  const email = addressForm(given.email ?? '') || null
  const isNameless = !names.username && !names.phoneNumber && accounts.length === 0
  if (email === null && isNameless && !given.isAnonymous)
    return { moved: null, notes: [...notes, { reason: 'no-address', field: 'email' }], dropped: [] }
  const emailVerified = email !== null && given.emailVerified === true
  if (email === null) notes.push({ reason: given.isAnonymous ? 'anonymous' : 'placeholder-address', field: 'email' })
  else if (!emailVerified) notes.push({ reason: 'unverified', field: 'email' })
  const password = passwordOf(app, given, options, notes)
  const { fields, dropped } = takeMetadata(given, options)
  const isFederated = given.notes.some(({ reason }) => reason === 'federated')
  const isMarked = password === null && accounts.length === 0 && email !== null && !isFederated
  const moved: MovedUser = {
    user: {
      ...(!fitsId(given.id) ? {} : { id: given.id }),
      email: email ?? placeholderOf(given, options),
      emailVerified,
      ...profileOf(given, email, notes),
      ...timesOf(app, given, notes),
      ...names,
      ...banOf(app, given, options, notes),
      ...(given.isAnonymous && { isAnonymous: true }),
      ...rolesOf(given, options, notes),
      ...fields,
    },
    accounts: [...(password === null ? [] : [credentialOf(given, password, notes)]), ...accounts],
    ...factorOf(app, given, notes),
    ...(isMarked && { setUpAtSignIn: true as const }),
  }
  const hasLostFactor = [...given.notes, ...notes].some(({ reason }) => reason === 'factor-missing') && !moved.secondFactor
  const line = options.requireFactors && hasLostFactor ? { ...moved, setUpFactorAtSignIn: true as const } : moved
  return { moved: line, notes: [...given.notes, ...notes], dropped }
}

const fitsId = (id: string | null): id is string => id !== null && /^[\x21-\x7e]{1,36}$/.test(id)

/** In the form of other placeholders; the same in each run. */
const placeholderOf = ({ id, phoneNumber, username }: SourceUser, { system }: MoveOptions): string =>
  placeholderEmail(
    system,
    createHash('sha256')
      .update(id ?? phoneNumber ?? username ?? '')
      .digest('hex')
      .slice(0, 32),
  )

function reasonToLeaveOut({ config, now }: App, given: SourceUser, { newIds }: MoveOptions): Note | null {
  const email = addressForm(given.email ?? '') || null
  if (email !== null && !isEmailAddress(email)) return { reason: 'invalid-address', field: 'email' }
  if (given.id !== null && !fitsId(given.id) && !newIds) return { reason: 'id-too-long', field: 'id' }
  if (given.isAnonymous && !config.anonymous.enabled) return { reason: 'anonymous-off', field: 'isAnonymous' }
  if (isBanned(given, now()) && !config.admin.enabled) return { reason: 'ban-off', field: 'banned' }
  return null
}

const isBanned = ({ ban }: SourceUser, now: Date): boolean =>
  Boolean(ban) && (!ban?.until || Date.parse(ban.until) > now.getTime())

/** A username and a phone number, when they are valid here. */
async function readNames(app: App, given: SourceUser, notes: Note[]): Promise<Readonly<Record<string, unknown>>> {
  const { username, phoneNumber } = given
  const isPhone = Boolean(phoneNumber) && app.config.phoneNumber.enabled && (await isOwned(app, { phoneNumber }))
  if (phoneNumber && !app.config.phoneNumber.enabled) notes.push({ reason: 'phone-off', field: 'phoneNumber' })
  else if (phoneNumber && !isPhone) notes.push({ reason: 'phone-dropped', field: 'phoneNumber' })
  const isNamed = Boolean(username) && app.config.username.enabled && (await isOwned(app, { username }))
  if (username && app.config.username.enabled && !isNamed) notes.push({ reason: 'username-dropped', field: 'username' })
  return {
    ...(isNamed && { username }),
    ...(isPhone && { phoneNumber, phoneNumberVerified: given.phoneNumberVerified === true }),
  }
}

async function isOwned(app: App, fields: Readonly<Record<string, unknown>>): Promise<boolean> {
  try {
    await readOwnedFields(app, fields, 'operator')
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function profileOf({ name, image, phoneNumber }: SourceUser, email: string | null, notes: Note[]) {
  // Some systems write the address where a name is missing.
  const isText = name?.isWellFormed() && !name.includes('\0')
  const isName = name && name.toLowerCase() !== email && name !== phoneNumber && isText
  const isPicture = image && isImageURL(image) && image.length <= 2000
  if (name && !isText) notes.push({ reason: 'name-dropped', field: 'name' })
  if (image && !isPicture) notes.push({ reason: 'picture-dropped', field: 'image' })
  return { ...(isName && { name: name.slice(0, 255) }), ...(isPicture && { image }) }
}

function timesOf(app: App, { createdAt, updatedAt, lastSignInAt }: SourceUser, notes: Note[]) {
  const latest = Math.max(...[createdAt, updatedAt, lastSignInAt].map((time) => (time ? Date.parse(time) : 0)))
  if (latest > app.now().getTime() + 60_000) notes.push({ reason: 'future-time', field: 'createdAt' })
  return { ...(createdAt && { createdAt }), ...(updatedAt && { updatedAt }), ...(lastSignInAt && { lastSignInAt }) }
}

function banOf({ now }: App, given: SourceUser, { system }: MoveOptions, notes: Note[]) {
  if (!isBanned(given, now())) return {}
  notes.push({ reason: 'banned', field: 'banned' })
  return { banned: true, banReason: `moved from ${system}`, ...(given.ban?.until && { banExpires: given.ban.until }) }
}

function rolesOf({ roles = [] }: SourceUser, options: MoveOptions, notes: Note[]): { readonly role?: string } {
  const taken = roles.flatMap((role) => options.roles.get(role) ?? [])
  for (const role of roles)
    if (!options.roles.has(role)) notes.push({ reason: 'role', field: 'roles', detail: role.slice(0, 100) })
  return taken.length > 0 ? { role: [...new Set(taken.flatMap((role) => role.split(',')))].join() } : {}
}

function credentialOf({ mustReplacePassword }: SourceUser, password: string, notes: Note[]): LineAccount {
  if (mustReplacePassword) notes.push({ reason: 'must-replace', field: 'password' })
  return { providerId: 'credential', password, ...(mustReplacePassword && { mustReplacePassword: true }) }
}

/** Fewer are guessed quickly. */
const enoughRounds = 100_000

/** The text of the hash for the import; null without a usable one. */
function passwordOf(app: App, { password }: SourceUser, { weak }: MoveOptions, notes: Note[]): string | null {
  if (!password || hasNoPassword(password)) return null
  const note = (reason: Note['reason'], detail?: string) =>
    void notes.push({ reason, field: 'password', ...(detail !== undefined && { detail }) })
  const text = nameSignerKey(password, app.config.passwordHash)
  const missing = missingHashSecret(text, app.config.passwordHash)
  if (missing !== null) note('missing-secret', missing)
  else if (signerKeyIn(password) !== null) note('signer-key')
  const stored = missing === null ? readImportedHash(text) : text
  if (stored !== null) {
    const format = readPasswordFormat(stored)
    if (format?.scheme === 'pbkdf2' && format.iterations < enoughRounds) note('few-rounds', `${format.iterations}`)
    return text
  }
  const weakHash = readWeakHash(text)
  if (weakHash) note(weak === 'drop' ? 'dropped-hash' : weakHash.recipe ? 'weak-hash' : 'plain-password', weakHash.form)
  if (weakHash) return weak === 'drop' ? null : text
  if (app.config.emailAndPassword.password.verify !== undefined) return text
  note('unusable-hash')
  return null
}

function factorOf({ config }: App, { totp }: SourceUser, notes: Note[]): { readonly secondFactor?: object } {
  if (!totp) return {}
  const isUsable = (parseBase32(totp.secret)?.length ?? 0) >= 10
  const reason = !isUsable ? 'factor-missing' : config.twoFactor.enabled ? 'factor-moved' : 'factor-off'
  notes.push({ reason, field: 'totp' })
  return reason === 'factor-moved' ? { secondFactor: { totp } } : {}
}
