/** Keycloak: the JSON of a realm with its users, or the files of users of its folder (`acme-users-0.json`). */
import { z } from 'zod'
import { base32 } from '../../../lib/totp.ts'
import { keycloakHash, readJSON } from './hash-texts.ts'
import { readElements } from './json-source.ts'
import { joinedName, listOf, type Note, objectOf, placeOf, type Reader, type SourceUser, textOf } from './source-user.ts'
import { providerOf, timeOf } from './source-values.ts'

const otpData = z.object({
  subType: z.string().optional(),
  digits: z.number().optional(),
  period: z.number().optional(),
  algorithm: z.string().optional(),
  secretEncoding: z.string().nullish(),
})
const otpSecret = z.object({ value: z.string().min(1) })

type Document = Readonly<Record<string, unknown>>

/** The secret is the text itself, unless its encoding is Base32. */
function totpOf(credentials: readonly Document[], notes: Note[]): NonNullable<SourceUser['totp']> | null {
  for (const given of credentials) {
    if (given.type === 'webauthn' || given.type === 'webauthn-passwordless')
      notes.push({ reason: 'factor-missing', field: 'credentials' })
    if (given.type !== 'otp') continue
    const [data, secret] = [readJSON(otpData, given.credentialData), readJSON(otpSecret, given.secretData)]
    if (data && secret && data.subType !== 'hotp') {
      const { digits, period, algorithm } = data
      const value = data.secretEncoding === 'BASE32' ? secret.value : base32(Buffer.from(secret.value))
      return { secret: value, ...(digits && { digits }), ...(period && { period }), ...(algorithm && { algorithm }) }
    }
    notes.push({ reason: 'factor-missing', field: 'credentials' })
  }
  return null
}

function rolesOf(given: Document): string[] {
  const clients = Object.entries(objectOf(given.clientRoles))
  const named = (prefix: string, list: unknown) => listOf(list).flatMap((name) => (textOf(name) ? [`${prefix}:${name}`] : []))
  // Every user has it.
  const realm = named('realm', given.realmRoles).filter((name) => !name.startsWith('realm:default-roles-'))
  return [...realm, ...named('group', given.groups), ...clients.flatMap(([client, list]) => named(`client:${client}`, list))]
}

function accountsOf(given: Document, notes: Note[]) {
  return listOf(given.federatedIdentities)
    .map(objectOf)
    .flatMap(({ identityProvider, userId }, position) => {
      const [name, accountId] = [textOf(identityProvider), textOf(userId)]
      return name && accountId ? [{ providerId: providerOf(name, `federatedIdentities.${position}`, notes), accountId }] : []
    })
}

function passwordOf(given: Document, credentials: readonly Document[], notes: Note[]): string | null {
  const credential = credentials.find(({ type }) => type === 'password')
  if (given.federationLink) notes.push({ reason: 'federated', field: 'federationLink' })
  else if (!credential) notes.push({ reason: 'no-password', field: 'credentials' })
  if (!credential) return null
  const hash = keycloakHash({ secretData: credential.secretData, credentialData: credential.credentialData })
  return hash ?? 'unknown'
}

function userOf(given: Document, timeZone: string): Omit<SourceUser, 'file' | 'line'> {
  const notes: Note[] = []
  const credentials = listOf(given.credentials).map(objectOf)
  const actions = listOf(given.requiredActions)
  if (actions.includes('CONFIGURE_TOTP')) notes.push({ reason: 'factor-missing', field: 'requiredActions' })
  const client = textOf(given.serviceAccountClientId)
  return {
    id: textOf(given.id),
    email: textOf(given.email),
    emailVerified: given.emailVerified === true,
    name: joinedName(given.firstName, given.lastName) ?? null,
    username: textOf(given.username),
    createdAt: timeOf(given.createdTimestamp, 'createdTimestamp', timeZone, notes),
    ban: given.enabled === false ? { until: null } : null,
    password: client ? null : passwordOf(given, credentials, notes),
    mustReplacePassword: actions.includes('UPDATE_PASSWORD'),
    accounts: accountsOf(given, notes),
    totp: totpOf(credentials, notes),
    roles: rolesOf(given),
    metadata: { attributes: valuesOf(given.attributes) },
    ...(client && { leftOut: { reason: 'service-account', field: 'serviceAccountClientId', detail: client } as const }),
    notes: client ? [] : notes,
  }
}

/** Each attribute is a list; one with a single value is that value. */
const valuesOf = (attributes: unknown): Document =>
  Object.fromEntries(
    Object.entries(objectOf(attributes)).map(([name, list]) => [name, listOf(list).length === 1 ? listOf(list)[0] : list]),
  )

export const readKeycloak: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser> {
  for (const file of files)
    for await (const placed of readElements(file, '$.users.*', 'user'))
      yield { ...placeOf(file, placed), ...userOf(objectOf(placed.value), timeZone) }
}
