/** Auth0: the export of users (NDJSON), and the file with password hashes that its support makes; or the list of a bulk import. */
import { auth0Hash } from './hash-texts.ts'
import { type PlacedValue, readDocuments, readElements } from './json-source.ts'
import { readStart, type SourceFile, sourceError } from './source-file.ts'
import { listOf, type Note, objectOf, placeOf, type Reader, type Remark, type SourceUser, textOf } from './source-user.ts'
import { providerOf, timeOf } from './source-values.ts'

interface StoredHash {
  readonly file: string
  readonly line: number
  readonly hash: string
  readonly email: string | null
  readonly connection: string
  isUsed: boolean
}

/** Hashes by the ID of their user, and by address and connection. */
interface Hashes {
  readonly byId: ReadonlyMap<string, StoredHash>
  readonly byAddress: ReadonlyMap<string, StoredHash>
}

const addressKey = (email: string, connection: string): string => `${email.toLowerCase()} ${connection}`

const isHashFile = (start: string): boolean => /^[^\n]*"(?:passwordHash|_id)"/.test(start)

async function readHashes(files: readonly SourceFile[]): Promise<Hashes> {
  const [byId, byAddress] = [new Map<string, StoredHash>(), new Map<string, StoredHash>()]
  for (const file of files) {
    for await (const { number, value } of readDocuments(file)) {
      const given = objectOf(value)
      const identifier = listOf(given.identifiers)
        .map(objectOf)
        .find(({ type }) => type === 'email')
      const email = textOf(given.email) ?? textOf(identifier?.value)
      const [id, connection] = [textOf(given.alt_id) ?? textOf(objectOf(given._id).$oid), textOf(given.connection) ?? '']
      const hash = textOf(given.passwordHash) ?? ''
      const stored = { file: file.name, line: number, hash, email, connection, isUsed: false }
      if (id) byId.set(`auth0|${id}`, stored)
      if (email) byAddress.set(addressKey(email, connection), stored)
    }
  }
  return { byId, byAddress }
}

function findHash({ byId, byAddress }: Hashes, id: string | null, user: Readonly<Record<string, unknown>>): StoredHash | null {
  const own = id === null ? undefined : byId.get(id)
  if (own) return own
  const email = textOf(user.email)
  const identity = listOf(user.identities)
    .map(objectOf)
    .find(({ provider }) => provider === 'auth0')
  return (email && identity && byAddress.get(addressKey(email, textOf(identity.connection) ?? ''))) || null
}

function accountsOf(identities: readonly unknown[], notes: Note[]) {
  return identities.map(objectOf).flatMap(({ provider, user_id: subject, isSocial }, position) => {
    const [name, accountId] = [textOf(provider), textOf(subject)]
    if (!name || !accountId || name === 'auth0' || name === 'sms' || name === 'email') return []
    const field = `identities.${position}`
    if (isSocial !== true) {
      notes.push({ reason: 'federated', field, detail: name })
      return []
    }
    return [{ providerId: providerOf(name, field, notes), accountId }]
  })
}

/** Only a bulk import has it. */
function totpOf(given: Readonly<Record<string, unknown>>): NonNullable<SourceUser['totp']> | null {
  const secrets = listOf(given.mfa_factors).map((factor) => textOf(objectOf(objectOf(factor).totp).secret))
  const [secret] = secrets.filter((text) => text !== null)
  return secret ? { secret } : null
}

const readUsers = (file: SourceFile, start: string): AsyncIterable<PlacedValue> =>
  start.trimStart().startsWith('[') ? readElements(file, '$.*', 'user') : readDocuments(file)

function userOf(given: Readonly<Record<string, unknown>>, hash: StoredHash | null, hasHashes: boolean, timeZone: string) {
  const notes: Note[] = []
  const time = (field: string) => timeOf(given[field], field, timeZone, notes)
  const identities = listOf(given.identities)
  const hasPassword = identities.some((one) => objectOf(one).provider === 'auth0')
  const password = hash?.hash ?? auth0Hash(given.custom_password_hash)
  if (hasPassword && !password) notes.push({ reason: 'no-password', field: hasHashes ? 'passwordHash' : 'user_id' })
  if (listOf(given.multifactor).length > 0) notes.push({ reason: 'factor-missing', field: 'multifactor' })
  return {
    id: textOf(given.user_id),
    email: textOf(given.email),
    emailVerified: given.email_verified === true,
    name: textOf(given.name),
    image: textOf(given.picture),
    username: textOf(given.username),
    phoneNumber: textOf(given.phone_number),
    phoneNumberVerified: given.phone_verified === true,
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    lastSignInAt: time('last_login'),
    ban: given.blocked === true ? { until: null } : null,
    password,
    totp: totpOf(given),
    accounts: accountsOf(identities, notes),
    metadata: { app_metadata: given.app_metadata, user_metadata: given.user_metadata },
    notes,
  }
}

export const readAuth0: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser | Remark> {
  const starts = await Promise.all(files.map(readStart))
  const hashFiles = files.filter((_, position) => isHashFile(starts[position] ?? ''))
  const userFiles = files.filter((file) => !hashFiles.includes(file))
  const [first] = files
  if (userFiles.length === 0 && first)
    throw sourceError(first, null, 'has hashes and no users', 'Also name the file of the user export.')
  const hashes = await readHashes(hashFiles)
  for (const file of userFiles) {
    for await (const placed of readUsers(file, starts[files.indexOf(file)] ?? '')) {
      const given = objectOf(placed.value)
      const hash = findHash(hashes, textOf(given.user_id), given)
      if (hash) hash.isUsed = true
      yield { ...placeOf(file, placed), ...userOf(given, hash, hashFiles.length > 0, timeZone) }
    }
  }
  for (const { file, line, hash, isUsed } of new Set([...hashes.byId.values(), ...hashes.byAddress.values()]))
    if (!isUsed)
      yield { file, line, remark: { reason: 'orphan-hash', field: hash === '' ? 'passwordHash (empty)' : 'passwordHash' } }
}
