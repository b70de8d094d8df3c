/** Clerk: the CSV of the dashboard, which has hashes, the JSON of the Backend API, which has metadata and bans, or both. */
import { readRows } from './csv-source.ts'
import { readElements } from './json-source.ts'
import { readStart, type SourceFile } from './source-file.ts'
import { joinedName, listOf, type Note, objectOf, placeOf, type Reader, type SourceUser, textOf } from './source-user.ts'
import { providerOf, timeOf } from './source-values.ts'

type Document = Readonly<Record<string, unknown>>

const listed = (cell: string | null | undefined): string[] =>
  (cell ?? '')
    .split(/[,|]/)
    .map((one) => one.trim())
    .filter(Boolean)

const addressOf = (value: unknown) => {
  const { id, email_address: email, verification } = objectOf(value)
  return { id: textOf(id), email: textOf(email), isVerified: objectOf(verification).status === 'verified' }
}

const phoneOf = (value: unknown) => {
  const { id, phone_number: number, verification } = objectOf(value)
  return { id: textOf(id), number: textOf(number), isVerified: objectOf(verification).status === 'verified' }
}

/** What only the JSON has. */
function additionsOf(given: Document, timeZone: string, notes: Note[]) {
  const accounts = listOf(given.external_accounts)
    .map(objectOf)
    .flatMap((account, position) => {
      const [name, accountId] = [textOf(account.provider), textOf(account.provider_user_id)]
      const scope = textOf(account.approved_scopes)
      const field = `external_accounts.${position}`
      return name && accountId ? [{ providerId: providerOf(name, field, notes), accountId, ...(scope && { scope }) }] : []
    })
  return {
    ban: given.banned === true || given.locked === true ? { until: null } : null,
    image: textOf(given.image_url),
    createdAt: timeOf(given.created_at, 'created_at', timeZone, notes),
    updatedAt: timeOf(given.updated_at, 'updated_at', timeZone, notes),
    lastSignInAt: timeOf(given.last_sign_in_at, 'last_sign_in_at', timeZone, notes),
    accounts,
    metadata: {
      public_metadata: given.public_metadata,
      private_metadata: given.private_metadata,
      unsafe_metadata: given.unsafe_metadata,
    },
  }
}

function fromDocument(given: Document, timeZone: string): Omit<SourceUser, 'file' | 'line'> {
  const notes: Note[] = []
  const emails = listOf(given.email_addresses).map(addressOf)
  const phones = listOf(given.phone_numbers).map(phoneOf)
  const primary = emails.find(({ id }) => id === given.primary_email_address_id) ?? emails[0]
  const phone = phones.find(({ id }) => id === given.primary_phone_number_id) ?? phones[0]
  if (emails.length > 1) notes.push({ reason: 'other-address', field: 'email_addresses' })
  if (given.two_factor_enabled === true) notes.push({ reason: 'factor-missing', field: 'two_factor_enabled' })
  notes.push({ reason: 'no-password', field: 'password_digest' })
  return {
    id: textOf(given.id),
    email: primary?.email ?? null,
    emailVerified: primary?.isVerified ?? false,
    name: joinedName(given.first_name, given.last_name) ?? null,
    username: textOf(given.username),
    phoneNumber: phone?.number ?? null,
    phoneNumberVerified: phone?.isVerified ?? false,
    ...additionsOf(given, timeZone, notes),
    notes,
  }
}

type Fields = Readonly<Record<string, string | null>>

function fromRow(row: Fields, added: Document | undefined, timeZone: string): Omit<SourceUser, 'file' | 'line'> {
  const notes: Note[] = []
  const verified = listed(row.verified_email_addresses)
  const others = [...verified, ...listed(row.unverified_email_addresses)].filter((email) => email !== row.primary_email_address)
  if (others.length > 0) notes.push({ reason: 'other-address', field: 'verified_email_addresses' })
  if (!row.password_digest) notes.push({ reason: 'no-password', field: 'password_digest' })
  const more = added ? additionsOf(added, timeZone, notes) : { createdAt: timeOf(row.created_at, 'created_at', timeZone, notes) }
  return {
    id: row.id ?? null,
    email: row.primary_email_address ?? null,
    emailVerified: verified.includes(row.primary_email_address ?? ''),
    name: joinedName(row.first_name, row.last_name) ?? null,
    username: row.username ?? null,
    phoneNumber: row.primary_phone_number ?? null,
    phoneNumberVerified: listed(row.verified_phone_numbers).includes(row.primary_phone_number ?? ''),
    password: row.password_digest ?? null,
    totp: row.totp_secret ? { secret: row.totp_secret } : null,
    ...more,
    notes,
  }
}

const isJSON = (start: string): boolean => start.trimStart().startsWith('[')

/** The members that a row of the CSV lacks. */
async function readAdditions(files: readonly SourceFile[]): Promise<Map<string, Document>> {
  const additions = new Map<string, Document>()
  for (const file of files)
    for await (const { value } of readElements(file, '$.*', 'user')) {
      const given = objectOf(value)
      additions.set(textOf(given.id) ?? '', given)
    }
  return additions
}

export const readClerk: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser> {
  const starts = await Promise.all(files.map(readStart))
  const documents = files.filter((_, position) => isJSON(starts[position] ?? ''))
  const tables = files.filter((file) => !documents.includes(file))
  const additions = tables.length > 0 ? await readAdditions(documents) : new Map<string, Document>()
  const seen = new Set<string>()
  for (const file of tables) {
    for await (const { line, fields } of readRows(file)) {
      const place = { file: file.name, line }
      if (!fields) {
        yield { ...place, id: null, email: null, leftOut: { reason: 'broken-row', field: 'row' }, notes: [] }
        continue
      }
      const id = fields.id ?? ''
      seen.add(id)
      yield { ...place, ...fromRow(fields, additions.get(id), timeZone) }
    }
  }
  for (const file of documents)
    for await (const placed of readElements(file, '$.*', 'user')) {
      const given = objectOf(placed.value)
      if (!seen.has(textOf(given.id) ?? '')) yield { ...placeOf(file, placed), ...fromDocument(given, timeZone) }
    }
}
