/** Tables of users as CSV or JSON: of Laravel, Spring Security, Devise, ASP.NET Identity and others, or with columns by name. */
import { readRows } from './csv-source.ts'
import { fusionAuthHash } from './hash-texts.ts'
import { type PlacedValue, readDocuments, readElements } from './json-source.ts'
import { readStart, type SourceFile, sourceError } from './source-file.ts'
import { joinedName, listOf, type Note, objectOf, type Reader, type SourceUser, textOf, truthOf } from './source-user.ts'
import { providerOf, readTime, timeOf } from './source-values.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a column can mean. */
export const meanings = [
  ...(['id', 'email', 'emailVerified', 'name', 'firstName', 'lastName', 'image', 'username', 'phoneNumber'] as const),
  ...(['phoneNumberVerified', 'password', 'createdAt', 'updatedAt', 'lastSignInAt', 'enabled', 'banned', 'totpSecret'] as const),
]
type Meaning = (typeof meanings)[number]

interface Preset {
  readonly columns: Partial<Readonly<Record<Meaning, string>>>
  /** What does not follow from a column. */
  readonly adjust?: (fields: Fields, notes: Note[], timeZone: string) => Partial<SourceUser>
  /** Where a JSON file has its users; default: a list. */
  readonly path?: string
  /** Of the columns, which a table and the API of a system name differently. */
  readonly rename?: (name: string) => string
}

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

/** A user is locked until a time; one in the far future is a ban. */
function lockoutOf(fields: Fields, timeZone: string): Partial<SourceUser> {
  const end = readTime(fields.LockoutEnd ?? null, timeZone, true)
  if (!end) return {}
  return { ban: { until: end.startsWith('9999') ? null : end } }
}

export const presets: Readonly<Record<string, Preset>> = {
  laravel: {
    columns: { id: 'id', email: 'email', emailVerified: 'email_verified_at', name: 'name', password: 'password', ...times },
    adjust: ({ two_factor_secret: secret }, notes) => {
      // It is encrypted with the key of the application.
      if (textOf(secret)) notes.push({ reason: 'factor-missing', field: 'two_factor_secret' })
      return {}
    },
  },
  spring: { columns: { username: 'username', email: 'email', password: 'password', enabled: 'enabled' } },
  devise: {
    columns: {
      ...{ id: 'id', email: 'email', emailVerified: 'confirmed_at', username: 'username', password: 'encrypted_password' },
      ...{ name: 'name', lastSignInAt: 'last_sign_in_at', ...times },
    },
    adjust: ({ otp_required_for_login: isRequired }, notes) => {
      if (truthOf(isRequired)) notes.push({ reason: 'factor-missing', field: 'otp_required_for_login' })
      return {}
    },
  },
  aspnet: {
    columns: {
      ...{ id: 'Id', email: 'Email', emailVerified: 'EmailConfirmed', username: 'UserName', password: 'PasswordHash' },
      ...{ phoneNumber: 'PhoneNumber', phoneNumberVerified: 'PhoneNumberConfirmed' },
    },
    adjust: (fields, notes, timeZone) => {
      if (truthOf(fields.TwoFactorEnabled)) notes.push({ reason: 'factor-missing', field: 'TwoFactorEnabled' })
      return lockoutOf(fields, timeZone)
    },
  },
  lucia: {
    columns: {
      ...{ id: 'id', email: 'email', emailVerified: 'email_verified', username: 'username', password: 'hashed_password' },
      ...{ name: 'name', ...times },
    },
    // In version 3 the column has any name; its guides use this name.
    adjust: ({ hashed_password: hashed, password_hash: hash }) => ({ password: textOf(hashed) ?? textOf(hash) }),
  },
  zitadel: {
    path: '$.orgs.*.humanUsers.*',
    columns: {},
    adjust: (fields) => {
      const user = objectOf(fields.user ?? fields)
      const [profile, email, phone] = [objectOf(user.profile), objectOf(user.email), objectOf(user.phone)]
      return {
        id: textOf(fields.userId) ?? textOf(user.userId),
        email: textOf(email.email),
        emailVerified: truthOf(email.isEmailVerified ?? email.isVerified),
        name:
          textOf(profile.displayName) ??
          joinedName(profile.firstName ?? profile.givenName, profile.lastName ?? profile.familyName) ??
          null,
        username: textOf(user.userName) ?? textOf(user.username),
        phoneNumber: textOf(phone.phone),
        phoneNumberVerified: truthOf(phone.isPhoneVerified ?? phone.isVerified),
        password: textOf(objectOf(user.hashedPassword).value) ?? textOf(objectOf(user.hashedPassword).hash),
        mustReplacePassword: truthOf(user.passwordChangeRequired),
        totp: textOf(user.otpCode) ? { secret: String(user.otpCode) } : null,
      }
    },
  },
  fusionauth: {
    path: '$.users.*',
    columns: {
      ...{ id: 'id', email: 'email', emailVerified: 'verified', name: 'fullName', firstName: 'firstName', lastName: 'lastName' },
      ...{ image: 'imageUrl', username: 'username', createdAt: 'insertInstant', updatedAt: 'lastUpdateInstant' },
      ...{ lastSignInAt: 'lastLoginInstant', phoneNumber: 'mobilePhone' },
    },
    adjust: (fields, notes) => {
      if (listOf(objectOf(fields.twoFactor).methods).length > 0) notes.push({ reason: 'factor-missing', field: 'twoFactor' })
      return {
        ...(fields.active !== undefined && !truthOf(fields.active) && { ban: { until: null } }),
        password: textOf(fields.password) && (fusionAuthOf(fields) ?? 'unknown'),
        mustReplacePassword: truthOf(fields.passwordChangeRequired),
      }
    },
  },
  logto: {
    rename: camelCase,
    columns: {
      ...{ id: 'id', email: 'primaryEmail', name: 'name', image: 'avatar', username: 'username', phoneNumber: 'primaryPhone' },
      ...{ createdAt: 'createdAt', updatedAt: 'updatedAt', lastSignInAt: 'lastSignInAt' },
    },
    adjust: (fields, notes) => ({
      // An address is added only after a code.
      ...{ emailVerified: textOf(fields.primaryEmail) !== null, phoneNumberVerified: textOf(fields.primaryPhone) !== null },
      phoneNumber: textOf(fields.primaryPhone) && `+${String(fields.primaryPhone).replace(/^\+/, '')}`,
      password: textOf(fields.passwordEncrypted) && logtoOf(fields),
      ...(truthOf(fields.isSuspended) && { ban: { until: null } }),
      totp: logtoFactor(fields, notes),
      accounts: Object.entries(objectOf(parsed(fields.identities))).flatMap(([name, identity]) => {
        const accountId = textOf(objectOf(identity).userId)
        return accountId === null ? [] : [{ providerId: providerOf(name, `identities.${name}`, notes), accountId }]
      }),
    }),
  },
}

function fusionAuthOf({ encryptionScheme, factor, salt, password }: Fields): string | null {
  return fusionAuthHash({
    ...{ encryptionScheme: textOf(encryptionScheme) ?? '', factor: Number(factor) },
    ...{ salt: textOf(salt) ?? '', password: textOf(password) ?? '' },
  })
}

/** A list or an object; in a table it is a JSON text. */
function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value
  } catch {
    return null
  }
}

function logtoFactor({ mfaVerifications }: Fields, notes: Note[]): NonNullable<SourceUser['totp']> | null {
  const factors = listOf(parsed(mfaVerifications)).map(objectOf)
  const secret = textOf(factors.find(({ type }) => type === 'Totp')?.key)
  if (secret === null && factors.length > 0) notes.push({ reason: 'factor-missing', field: 'mfaVerifications' })
  return secret === null ? null : { secret }
}

/** Its other methods are digests without a salt. */
function logtoOf({ passwordEncrypted, passwordEncryptionMethod }: Fields): string {
  const [hash, method] = [String(passwordEncrypted), textOf(passwordEncryptionMethod) ?? 'Argon2i']
  return /^(?:argon2|bcrypt|md5|sha1|sha256)/i.test(method) ? hash : 'unknown'
}

/** `confirmed_at` is a time; other columns are true or false. */
const isConfirmed = (value: unknown): boolean =>
  truthOf(value) || (typeof value === 'string' && /^\d{4}-/.test(value) && !value.startsWith('0000'))

function userOf(
  fields: Fields,
  { columns, adjust, used }: Preset & { readonly used: ReadonlySet<string> },
  timeZone: string,
  pepper: string | undefined,
): Omit<SourceUser, 'file' | 'line'> {
  const notes: Note[] = []
  const read = (meaning: Meaning): unknown => (columns[meaning] === undefined ? undefined : fields[columns[meaning]])
  const time = (meaning: Meaning) => timeOf(read(meaning), columns[meaning] ?? meaning, timeZone, notes)
  const username = textOf(read('username'))
  const user = {
    id: textOf(read('id')),
    // In many tables the username is the address.
    email: textOf(read('email')) ?? (username?.includes('@') ? username : null),
    emailVerified: isConfirmed(read('emailVerified')),
    name: textOf(read('name')) ?? joinedName(read('firstName'), read('lastName')) ?? null,
    image: textOf(read('image')),
    username: username?.includes('@') ? null : username,
    phoneNumber: textOf(read('phoneNumber')),
    phoneNumberVerified: isConfirmed(read('phoneNumberVerified')),
    ...{ createdAt: time('createdAt'), updatedAt: time('updatedAt'), lastSignInAt: time('lastSignInAt') },
    ban: isDisabled(read('enabled'), read('banned')) ? { until: null } : null,
    password: textOf(read('password')),
    totp: textOf(read('totpSecret')) ? { secret: String(read('totpSecret')) } : null,
    metadata: { columns: rest(fields, used) },
    ...adjust?.(fields, notes, timeZone),
  }
  if (!user.password) notes.push({ reason: 'no-password', field: columns.password ?? 'password' })
  const isPeppered = pepper !== undefined && /^\$2[aby]\$/.test(user.password ?? '')
  return { ...user, ...(isPeppered && { password: `$latchkey-bcrypt$pre=pepper:${pepper}${user.password}` }), notes }
}

const isDisabled = (enabled: unknown, banned: unknown): boolean =>
  (enabled !== undefined && enabled !== null && !truthOf(enabled)) || truthOf(banned)

/** Columns that `--field` may take. */
function rest(fields: Fields, used: ReadonlySet<string>): Fields {
  const others: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) if (!used.has(name)) others[name] = fields[name]
  return others
}

const renamed = (fields: Fields, rename: Preset['rename']): Fields =>
  rename ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value])) : fields

async function* readValues(file: SourceFile, path: string | undefined): AsyncGenerator<PlacedValue> {
  const start = (await readStart(file)).trimStart()
  if (start.startsWith('[')) yield* readElements(file, '$.*', 'user')
  else if (start.startsWith('{') && path !== undefined && new RegExp(`^\\{\\s*"(?:${path.split('.')[1]}|total)"`).test(start))
    yield* readElements(file, path, 'user')
  else if (start.startsWith('{')) yield* readDocuments(file)
  else for await (const { line, fields } of readRows(file)) yield { number: line, place: `line ${line}`, value: fields }
}

export const readTable: Reader = async function* (files, { timeZone, preset, columns, pepper }): AsyncGenerator<SourceUser> {
  const names = { ...presets[preset ?? '']?.columns, ...columns }
  const chosen = { ...presets[preset ?? ''], columns: names, used: new Set<string>(Object.values(names)) }
  for (const file of files) {
    let isChecked = false
    for await (const { number, value } of readValues(file, chosen.path)) {
      const place = { file: file.name, line: number }
      if (value === null || listOf(value).length > 0) {
        yield { ...place, id: null, email: null, leftOut: { reason: 'broken-row', field: 'row' }, notes: [] }
        continue
      }
      const fields = renamed(objectOf(value), chosen.rename)
      const missing = Object.values(columns ?? {}).filter((name) => !(name in fields))
      if (!isChecked && missing.length > 0)
        throw sourceError(
          file,
          `line ${number}`,
          `there is no column ${missing.join(', ')}`,
          `Columns: ${Object.keys(fields).join(', ').slice(0, 500)}`,
        )
      isChecked = true
      yield { ...place, ...userOf(fields, chosen, timeZone, pepper) }
    }
  }
}
