/** Firebase: `firebase auth:export users.json`, and the parameters of its hashes as the console shows them. */

import { z } from 'zod'
import { type FirebaseParameters, firebaseHash, readJSON } from './hash-texts.ts'
import { readElements } from './json-source.ts'
import { readSmallFile, readStart, type SourceFile, sourceError } from './source-file.ts'
import { listOf, type Note, objectOf, placeOf, type Reader, type SourceUser, textOf } from './source-user.ts'
import { providerOf, timeOf } from './source-values.ts'

const isParameters = (start: string): boolean => /hash_config|base64_signer_key/.test(start)

async function readParameters(file: SourceFile): Promise<FirebaseParameters> {
  const text = await readSmallFile(file)
  const read = (name: string) => new RegExp(`${name}["']?\\s*[:=]\\s*["']?([^\\s"',;}]+)`).exec(text)?.[1] ?? null
  const [algorithm, signerKey, saltSeparator] = [read('algorithm'), read('base64_signer_key'), read('base64_salt_separator')]
  const [rounds, memory] = [Number(read('rounds')), Number(read('mem_cost'))]
  if (algorithm !== null && algorithm !== 'SCRYPT') throw sourceError(file, null, `the algorithm ${algorithm} cannot be verified`)
  if (!signerKey || !rounds || !memory)
    throw sourceError(file, null, 'expected base64_signer_key, base64_salt_separator, rounds and mem_cost')
  return { signerKey, saltSeparator: saltSeparator ?? '', rounds, memory }
}

/** In its own alphabet of base64, so that a hash has one form. */
const plain = (text: string): string => text.replaceAll('-', '+').replaceAll('_', '/')

function passwordOf(
  given: Readonly<Record<string, unknown>>,
  parameters: FirebaseParameters | null,
  notes: Note[],
): string | null {
  const [hash, salt] = [textOf(given.passwordHash), textOf(given.salt)]
  if (!hash || !salt) return null
  if (/[-_]/.test(hash + salt)) notes.push({ reason: 'url-safe-hash', field: 'passwordHash' })
  if (parameters) return firebaseHash(parameters, plain(salt), plain(hash))
  notes.push({ reason: 'unusable-hash', field: 'passwordHash' })
  return null
}

function accountsOf(given: Readonly<Record<string, unknown>>, notes: Note[]) {
  return listOf(given.providerUserInfo)
    .map(objectOf)
    .flatMap(({ providerId, rawId }, position) => {
      const [name, accountId] = [textOf(providerId), textOf(rawId)]
      if (!name || !accountId || name === 'phone' || name === 'password') return []
      return [{ providerId: providerOf(name, `providerUserInfo.${position}`, notes), accountId }]
    })
}

function userOf(given: Readonly<Record<string, unknown>>, parameters: FirebaseParameters | null, timeZone: string) {
  const notes: Note[] = []
  const time = (field: string) => timeOf(given[field], field, timeZone, notes)
  const attributes = readJSON(z.record(z.string(), z.unknown()), given.customAttributes)
  if (listOf(given.mfaInfo).length > 0) notes.push({ reason: 'factor-missing', field: 'mfaInfo' })
  const [password, accounts] = [passwordOf(given, parameters, notes), accountsOf(given, notes)]
  if (!given.passwordHash && accounts.length === 0 && given.email) notes.push({ reason: 'no-password', field: 'passwordHash' })
  return {
    id: textOf(given.localId),
    email: textOf(given.email),
    emailVerified: given.emailVerified === true,
    name: textOf(given.displayName),
    image: textOf(given.photoUrl),
    phoneNumber: textOf(given.phoneNumber),
    // Firebase adds a number only after a code.
    phoneNumberVerified: textOf(given.phoneNumber) !== null,
    createdAt: time('createdAt'),
    lastSignInAt: time('lastSignedInAt'),
    ban: given.disabled === true ? { until: null } : null,
    ...{ password, accounts },
    metadata: { customAttributes: attributes },
    notes,
  }
}

export const readFirebase: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser> {
  const starts = await Promise.all(files.map(readStart))
  const parameterFile = files.find((_, position) => isParameters(starts[position] ?? ''))
  const parameters = parameterFile ? await readParameters(parameterFile) : null
  for (const file of files) {
    if (file === parameterFile) continue
    for await (const placed of readElements(file, '$.users.*', 'user'))
      yield { ...placeOf(file, placed), ...userOf(objectOf(placed.value), parameters, timeZone) }
  }
}
