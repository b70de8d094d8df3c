/** Passkeys as rows, as responses, and the handle by which authenticators know a user. */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { defineErrors, type ErrorEntry } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { isoDate } from '../../core/schemas.ts'
import { command, statement } from '../../core/statement.ts'
import { bigint, boolean, id, index, internal, nullable, references, string, text, timestamp, unique } from '../../core/table.ts'
import { recordEvent } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { isPossible, rpIDOf } from './config.ts'
import { providerName } from './provider-names.ts'

/**
 * `credentialHash` has the unique key, because a credential ID is longer than the key of an index may be. `userHandle`: with which the
 * authenticator stored it; null for imported ones. `isDiscoverable`: found without an email address; null when it is not known.
 * `addedWith`: the device on which it was added, in words. `relatedOrigin`: the page on another domain on which it was used last, or added; null: on its own domain.
 */
export const tables = {
  passkey: {
    id: id(),
    name: nullable(string()),
    publicKey: text(),
    userId: references('user'),
    credentialID: text(),
    credentialHash: internal(unique(string({ length: 43 }))),
    counter: bigint(),
    deviceType: string({ length: 32 }),
    backedUp: boolean(),
    transports: nullable(string()),
    createdAt: nullable(timestamp()),
    addedWith: nullable(string()),
    aaguid: nullable(string({ length: 36 })),
    rpID: string({ length: 253 }),
    userHandle: internal(nullable(string({ length: 43 }))),
    lastUsedAt: nullable(timestamp()),
    isDiscoverable: internal(nullable(boolean())),
    isAutomatic: internal(boolean({ default: false })),
    suspendedAt: nullable(timestamp()),
    relatedOrigin: internal(nullable(string({ length: 267 }))),
  },
  passkeyUser: { id: id(), userId: unique(references('user')), handle: unique(string({ length: 43 })) },
  usedChallenge: { id: id(), key: unique(string({ length: 64 })), expiresAt: timestamp() },
  /** The passkey that signed it in. */
  session: { passkeyId: internal(nullable(string({ length: 36 }))) },
}

export const indexes = { passkey: [index('userId'), index('relatedOrigin')], usedChallenge: [index('expiresAt')] }

export type PasskeyRow = Selectable<Database['passkey']>

export const errors = defineErrors({
  CHALLENGE_NOT_FOUND: [400, 'Challenge not found'],
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: [401, 'You are not allowed to register this passkey'],
  FAILED_TO_VERIFY_REGISTRATION: [400, 'Failed to verify registration'],
  PREVIOUSLY_REGISTERED: [400, 'Previously registered'],
  TOO_MANY_PASSKEYS: [400, 'Too many passkeys'],
  SESSION_REQUIRED: [401, 'Passkey registration requires an authenticated session'],
  RESOLVED_USER_INVALID: [400, 'Resolved user is invalid'],
  PASSKEY_NOT_FOUND: [401, 'Passkey not found'],
  AUTHENTICATION_FAILED: [400, 'Authentication failed'],
  UNABLE_TO_CREATE_SESSION: [400, 'Unable to create session'],
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY: [400, "You can't delete your last passkey"],
})

/** At a sign-in the same code is 401. */
export const notFound: ErrorEntry = { ...errors.PASSKEY_NOT_FOUND, status: 404 }

/** `provider`, `addedWith`, `lastUsedAt`, `rpID` and `suspendedAt` are not in better-auth. */
export const passkeyView = z
  .object({
    name: z.string().nullable(),
    publicKey: z.string().meta({ description: 'COSE key, base64', examples: ['pQECAyYgASFYIJ3mA5dGf0wLr8Tn2Kp7'] }),
    userId: z.string(),
    credentialID: z.string().meta({ description: 'base64url', examples: ['2uHd8fGa4eKp6iOqYxT0Ak3J0mQy7vZ1bXcR5tL9wNs'] }),
    counter: z.int(),
    deviceType: z.string().meta({ examples: ['multiDevice'] }),
    backedUp: z.boolean(),
    transports: z.string().meta({ examples: ['internal,hybrid'] }),
    createdAt: isoDate.nullable(),
    aaguid: z
      .string()
      .nullable()
      .meta({ examples: ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd'] }),
    id: z.string(),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'Name of the authenticator, if it is known', examples: ['iCloud Keychain'] }),
    addedWith: z.string().nullable().describe('On which device it was added, if that is known'),
    lastUsedAt: isoDate.nullable(),
    rpID: z.string().meta({ examples: ['example.com'] }),
    suspendedAt: isoDate.nullable().meta({ description: 'When its counter went back, as that of a copied key does' }),
  })
  .meta({ title: 'Passkey' })

export const describePasskey = (row: PasskeyRow): z.input<typeof passkeyView> => ({
  ...row,
  transports: row.transports ?? '',
  provider: providerName(row.aaguid),
})

/** @param credentialID base64url, as the browser sends it */
export const credentialHash = (credentialID: string): string =>
  createHash('sha256').update(credentialID, 'utf8').digest('base64url')

const findWithUser = statement({ passkey: 'passkey', user: 'user' }, (db, { hash }: { hash: string }) =>
  db.selectFrom('passkey').innerJoin('user', 'user.id', 'passkey.userId').where('passkey.credentialHash', '=', hash),
)

/** A passkey and its user, read at the same moment: the user's `accessRevision` then also says whether it still exists. */
export async function findByCredential(
  app: App,
  credentialID: string,
): Promise<{ readonly passkey: PasskeyRow; readonly user: UserRow } | null> {
  const [found] = await findWithUser(app, { hash: credentialHash(credentialID) })
  return found ?? null
}

export async function findPasskey(app: App, passkeyId: string): Promise<PasskeyRow | null> {
  return (await app.db.selectFrom('passkey').selectAll().where('id', '=', passkeyId).executeTakeFirst()) ?? null
}

/** The passkeys of a user, oldest first. */
export const listPasskeys = (app: App, userId: string): Promise<PasskeyRow[]> =>
  app.db.selectFrom('passkey').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute()

interface Use extends Partial<Pick<PasskeyRow, 'isDiscoverable'>> {
  readonly id: string
  readonly counter: number
  readonly backedUp: boolean
  readonly lastUsedAt: Date
  readonly relatedOrigin: string | null
  /** The stored counter must be below this number, or equal to it. */
  readonly above?: number
  readonly same?: number
}

/** Notes a use, in the transaction of what it proves. @returns 0 when the counter went back, or the passkey is suspended */
export const noteUse = command((app, { id, above, same, ...columns }: Use & Record<string, unknown>) =>
  app.db
    .updateTable('passkey')
    .set(columns)
    .where('id', '=', id)
    .where('suspendedAt', 'is', null)
    .$if(above !== undefined, (query) => query.where('counter', '<', above ?? 0))
    .$if(same !== undefined, (query) => query.where('counter', '=', same ?? 0)),
)

/** Deletes all passkeys of a user, in a transaction that has locked them. */
export async function deleteAllPasskeys(tx: App, userId: string): Promise<number> {
  const passkeys = await listPasskeys(tx, userId)
  for (const { id } of passkeys) {
    await tx.db.deleteFrom('passkey').where('id', '=', id).execute()
    await recordEvent(tx, { action: 'passkey.deleted', target: { type: 'passkey', id }, userId })
  }
  return passkeys.length
}

/** Whether a user can sign in with it alone. */
export const isSignInMethod = (
  { config }: App,
  { rpID, isDiscoverable, suspendedAt }: Pick<PasskeyRow, 'rpID' | 'isDiscoverable' | 'suspendedAt'>,
): boolean => rpID === rpIDOf(config) && isDiscoverable === true && suspendedAt === null

/** The passkeys of many users that work under the configuration, by user; `signsIn`: also without another method. */
export async function findWorking(app: App, userIds: readonly string[]): Promise<Map<string, { readonly signsIn: boolean }[]>> {
  if (userIds.length === 0 || !isPossible(app.config)) return new Map()
  const rows = await app.db
    .selectFrom('passkey')
    .select(['userId', 'rpID', 'isDiscoverable', 'suspendedAt'])
    .where('userId', 'in', userIds)
    .execute()
  const working = rows.filter(({ rpID, suspendedAt }) => rpID === rpIDOf(app.config) && suspendedAt === null)
  const described = working.map((row) => ({ userId: row.userId, signsIn: isSignInMethod(app, row) }))
  return Map.groupBy(described, ({ userId }) => userId)
}

/** As browsers get it: a credential of a list, without the transports that are not known. */
export const credentialOf = ({ credentialID, transports }: Pick<PasskeyRow, 'credentialID' | 'transports'>) => ({
  id: credentialID,
  ...(transports && { transports: transports.split(',') }),
  type: 'public-key' as const,
})

/** Without the id of the secret. */
export const keyedBytes = (hash: string): string => hash.slice(hash.indexOf('.') + 1)

/**
 * The handle of a user: random to others, and always the same, so that a password manager shows one account. Before the first passkey it
 * is not stored.
 * @returns the newest first: an authenticator may have got one of a secret that was replaced in the meantime
 */
export async function findHandles(app: App, userId: string): Promise<readonly string[]> {
  const stored = await app.db.selectFrom('passkeyUser').select('handle').where('userId', '=', userId).executeTakeFirst()
  return stored ? [stored.handle] : app.keyring.hashes('passkey handle', userId).map(keyedBytes)
}

export const findHandle = async (app: App, userId: string): Promise<string> => (await findHandles(app, userId))[0] ?? ''

/** Stores the handle with the first passkey, in a transaction that has locked the user. */
export async function storeHandle(tx: App, userId: string, handle: string): Promise<void> {
  const stored = await tx.db.selectFrom('passkeyUser').select('id').where('userId', '=', userId).executeTakeFirst()
  if (!stored) await tx.db.insertInto('passkeyUser').values({ id: tx.random.id(), userId, handle }).execute()
}
