/** Amazon Cognito: pages of `list-users` as NDJSON or as the JSON of the command, or the CSV of an import. None has hashes. */
import { z } from 'zod'
import { readRows } from './csv-source.ts'
import { readJSON } from './hash-texts.ts'
import { type PlacedValue, readDocuments, readElements } from './json-source.ts'
import { readStart, type SourceFile } from './source-file.ts'
import { listOf, type Note, objectOf, placeOf, type Reader, type SourceUser, textOf, truthOf } from './source-user.ts'
import { providerOf, timeOf } from './source-values.ts'

const identities = z.array(
  z.object({ userId: z.union([z.string(), z.number()]), providerName: z.string(), providerType: z.string().nullish() }),
)

const attributesOf = (given: unknown): Record<string, string> =>
  Object.fromEntries(
    listOf(given)
      .map(objectOf)
      .map(({ Name, Value }) => [String(Name), textOf(Value) ?? '']),
  )

function accountsOf(attributes: Readonly<Record<string, string>>, notes: Note[]) {
  return (readJSON(identities, attributes.identities) ?? []).flatMap(({ userId, providerName, providerType }, position) => {
    const field = `identities.${position}`
    if (providerType !== 'SAML') return [{ providerId: providerOf(providerName, field, notes), accountId: String(userId) }]
    notes.push({ reason: 'federated', field, detail: providerName })
    return []
  })
}

/** Attributes of the application, and those that have no column. */
const customOf = (attributes: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => name.startsWith('custom:'))
      .map(([name, value]) => [name.slice(7), value]),
  )

const userStates = new Set(['FORCE_CHANGE_PASSWORD', 'RESET_REQUIRED'])

function userOf(value: unknown, timeZone: string): Omit<SourceUser, 'file' | 'line'> {
  const given = objectOf(value)
  const notes: Note[] = []
  const attributes = attributesOf(given.Attributes)
  const state = textOf(given.UserStatus) ?? ''
  const accounts = accountsOf(attributes, notes)
  if (accounts.length === 0) notes.push({ reason: 'no-password', field: 'UserStatus', detail: state })
  if (userStates.has(state)) notes.push({ reason: 'must-replace', field: 'UserStatus', detail: state })
  if (listOf(given.MFAOptions).length > 0 || listOf(given.UserMFASettingList).length > 0)
    notes.push({ reason: 'factor-missing', field: 'MFAOptions' })
  return {
    id: attributes.sub ?? textOf(given.Username),
    ...profileOf(attributes),
    username: attributes.preferred_username ?? (accounts.length > 0 ? null : textOf(given.Username)),
    createdAt: timeOf(given.UserCreateDate, 'UserCreateDate', timeZone, notes),
    updatedAt: timeOf(given.UserLastModifiedDate, 'UserLastModifiedDate', timeZone, notes),
    ban: given.Enabled === false ? { until: null } : null,
    accounts,
    metadata: { custom: customOf(attributes) },
    notes,
  }
}

const profileOf = (attributes: Readonly<Record<string, string | null>>) => ({
  email: attributes.email || null,
  emailVerified: truthOf(attributes.email_verified),
  name: attributes.name ?? ([attributes.given_name, attributes.family_name].filter(Boolean).join(' ') || null),
  image: attributes.picture ?? null,
  phoneNumber: attributes.phone_number ?? null,
  phoneNumberVerified: truthOf(attributes.phone_number_verified),
})

async function* readTable(file: SourceFile): AsyncGenerator<SourceUser> {
  for await (const { line, fields } of readRows(file)) {
    const place = { file: file.name, line }
    if (!fields) {
      yield { ...place, id: null, email: null, leftOut: { reason: 'broken-row', field: 'row' }, notes: [] }
      continue
    }
    const values = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text?.replaceAll('\\,', ',') ?? null]))
    const notes: Note[] = [{ reason: 'no-password', field: 'cognito:username' }]
    if (truthOf(values['cognito:mfa_enabled'])) notes.push({ reason: 'factor-missing', field: 'cognito:mfa_enabled' })
    const names = Object.entries(values).filter(([name, value]) => name.startsWith('custom:') && value !== null)
    const custom = Object.fromEntries(names.map(([name, value]) => [name.slice(7), value]))
    const username = values.preferred_username ?? values['cognito:username'] ?? null
    yield { ...place, id: values.sub ?? null, ...profileOf(values), username, metadata: { custom }, notes }
  }
}

export const readCognito: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser> {
  for (const file of files) {
    const start = (await readStart(file)).trimStart()
    if (!start.startsWith('{')) {
      yield* readTable(file)
      continue
    }
    const isPage = /^\{\s*"Users"\s*:/.test(start)
    const users: AsyncIterable<PlacedValue> = isPage ? readElements(file, '$.Users.*', 'user') : readDocuments(file)
    for await (const placed of users) yield { ...placeOf(file, placed), ...userOf(placed.value, timeZone) }
  }
}
