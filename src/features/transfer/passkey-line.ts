/** The passkeys in a line of an import file: rows of better-auth as they are, and those of other products. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { type GivenPasskey, rpIDOf } from '../passkeys/index.ts'
import { lineObject, time, truth } from './line-values.ts'

/** Base64 in either alphabet, with or without padding. */
const encoded = z.string().regex(/^[\w+/-]+={0,2}$/, 'expected base64 or base64url')

/** A map of CBOR (RFC 9052 §7), which a PEM file or a raw point of a curve is not. */
const isMap = (bytes: Buffer): boolean => bytes.length >= 32 && bytes.length <= 3000 && ((bytes[0] ?? 0) & 0xe0) === 0xa0

const publicKey = encoded.max(4096).transform((text, check) => {
  const bytes = Buffer.from(text, 'base64')
  if (isMap(bytes)) return bytes.toString('base64')
  check.addIssue('expected a COSE key')
  return z.NEVER
})

/** At most 1023 bytes (WebAuthn Level 3 §4). */
const credentialID = encoded.max(1368).transform((text) => Buffer.from(text, 'base64').toString('base64url'))

/** A list, or a list with commas as better-auth stores it. */
const transports = z
  .union([z.array(z.string().max(32)).max(10), z.string().max(255)])
  .transform((given) => (Array.isArray(given) ? given.join(',') : given))

/** Other products say whether it can be backed up, and do not name the kind. */
const deviceType = z.enum(['singleDevice', 'multiDevice'])

/** A passkey of another product, checked and in the form of `draftPasskeys`. */
export const passkeyLine = lineObject({
  id: z.string().max(255).optional(),
  name: z.string().max(255).nullish(),
  publicKey,
  credentialID,
  counter: z.int().min(0).max(4_294_967_295).default(0),
  deviceType,
  backedUp: truth,
  transports: transports.nullish(),
  createdAt: time.nullish(),
  addedWith: z.string().max(100).nullish(),
  aaguid: z.guid().or(z.literal('')).nullish(),
  rpID: z.string().max(253).optional(),
  userHandle: encoded.max(43).nullish(),
  lastUsedAt: time.nullish(),
  isDiscoverable: truth.nullish(),
  isAutomatic: truth.nullish(),
  suspendedAt: time.nullish(),
}).transform(
  (given): GivenPasskey => ({
    ...{ credentialID: given.credentialID, publicKey: given.publicKey, counter: given.counter, rpID: given.rpID },
    ...{ deviceType: given.deviceType, backedUp: given.backedUp, transports: given.transports ?? '', name: given.name ?? null },
    ...{ createdAt: given.createdAt ?? null, lastUsedAt: given.lastUsedAt ?? null, suspendedAt: given.suspendedAt ?? null },
    ...{ addedWith: given.addedWith ?? null, aaguid: given.aaguid || null, userHandle: given.userHandle ?? null },
    ...{ isDiscoverable: given.isDiscoverable ?? null, isAutomatic: given.isAutomatic ?? false },
  }),
)

const mostPasskeys = 100

/** The member of a line about passkeys; none while they are disabled. */
export const passkeyMembers = ({ config }: App) =>
  config.passkey.enabled
    ? {
        passkeys: z
          .array(passkeyLine)
          .max(mostPasskeys)
          .refine(
            (given) => new Set(given.map((one) => one.credentialID)).size === given.length,
            'expected different values of credentialID',
          )
          .refine(
            (given) => new Set(given.flatMap(({ userHandle }) => userHandle ?? [])).size <= 1,
            'expected the same userHandle in all of them',
          )
          .nullish(),
      }
    : {}

export const readPasskeys = (given: object): readonly GivenPasskey[] =>
  (given as { readonly passkeys?: readonly GivenPasskey[] | null }).passkeys ?? []

/** Whether one of them works under the configuration, so that the user can complete a challenge. */
export const hasUsablePasskey = ({ config }: App, passkeys: readonly GivenPasskey[]): boolean =>
  passkeys.some(({ rpID, suspendedAt }) => suspendedAt === null && (rpID ?? rpIDOf(config)) === rpIDOf(config))

/** How many belong to another domain, so that browsers do not use them here. */
export const countOthers = ({ config }: App, passkeys: readonly { readonly rpID: string }[]): number =>
  passkeys.filter(({ rpID }) => rpID !== rpIDOf(config)).length
