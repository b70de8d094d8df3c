/** Who has accepted what: rows, events, and what remains of them after a user was deleted. */
import { type App, deviceOf } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { acceptedBy, documentsInForce, type TermsDocument } from './documents.ts'

type Versions = Readonly<Record<string, string>>
type User = Pick<UserRow, 'id' | 'termsAccepted'>

/** @param versions by document @returns the documents in force that are among them */
export const currentAmong = (app: Pick<App, 'config' | 'now'>, versions: Versions): TermsDocument[] =>
  documentsInForce(app).filter(({ id, version }) => Object.hasOwn(versions, id) && versions[id] === version)

/** The column of a user who has accepted these documents; null: none. */
export function acceptedColumn(before: Versions, documents: readonly TermsDocument[]): string | null {
  const versions = { ...before, ...Object.fromEntries(documents.map(({ id, version }) => [id, version])) }
  const entries = Object.entries(versions).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries))
}

const namesOf = (documents: readonly TermsDocument[]): string[] => documents.map(({ id, version }) => `${id} ${version}`)

/**
 * In the transaction of what depends on it. Each version is accepted once, whatever else accepts it at the same time.
 * @throws ApiError UNAUTHORIZED when the user was deleted
 */
export async function acceptDocuments(tx: App, user: User, documents: readonly TermsDocument[]): Promise<void> {
  if (documents.length === 0) return
  // First, because every write for a user locks the user's row before any other row.
  const termsAccepted = acceptedColumn(knownDocuments(tx, user), documents)
  const updated = await tx.db.updateTable('user').set({ termsAccepted }).where('id', '=', user.id).executeTakeFirst()
  if (updated.numUpdatedRows === 0n) throw new ApiError(kernelErrors.UNAUTHORIZED)
  await insertAcceptances(tx, user.id, documents)
}

/** Without documents that the configuration has no more: the column stays short. */
function knownDocuments(app: App, user: User): Versions {
  const ids = new Set(documentsInForce(app).map(({ id }) => id))
  return Object.fromEntries(Object.entries(acceptedBy(user)).filter(([id]) => ids.has(id)))
}

async function insertAcceptances(tx: App, userId: string, documents: readonly TermsDocument[]): Promise<void> {
  const { actor } = tx
  const ipAddress = ('ipAddress' in actor ? actor.ipAddress : '') || null
  const [acceptedAt, device] = [tx.now(), deviceOf(tx)]
  const written: TermsDocument[] = []
  for (const document of documents) {
    const { id, version, hash } = document
    const row = { id: tx.random.id(), userId, document: id, version, hash, acceptedAt, ipAddress, device }
    if (!(await insertUnlessExists(tx, tx.db.insertInto('termsAcceptance').values(row)))) continue
    written.push(document)
    const postponed = tx.db.deleteFrom('termsPostponement').where('userId', '=', userId)
    await postponed.where('document', '=', id).where('version', '=', version).execute()
  }
  if (written.length > 0)
    await recordEvent(tx, {
      action: 'terms.accepted',
      target: { type: 'user', id: userId },
      details: { documents: namesOf(written) },
    })
}

/** Of a user who has just been created with what they accepted. */
export async function acceptAtSignUp(tx: App, user: User): Promise<void> {
  const documents = currentAmong(tx, acceptedBy(user))
  if (documents.length > 0) await insertAcceptances(tx, user.id, documents)
}

/** In the transaction of the sign-in that goes on without them. */
export async function postponeDocuments(tx: App, { id: userId }: User, documents: readonly TermsDocument[]): Promise<void> {
  for (const { id: document, version } of documents) {
    const row = { id: tx.random.id(), userId, document, version, postponedAt: tx.now() }
    await insertUnlessExists(tx, tx.db.insertInto('termsPostponement').values(row))
  }
  await recordEvent(tx, {
    action: 'terms.postponed',
    target: { type: 'user', id: userId },
    details: { documents: namesOf(documents) },
  })
}

export const recordDecline = (app: App, { id }: User, documents: readonly TermsDocument[]): Promise<void> =>
  recordEvent(app, { action: 'terms.declined', target: { type: 'user', id }, details: { documents: namesOf(documents) } })

const purpose = 'terms subject'

/** Keyed hashes of a user's ID, by all secrets, under which the proofs of a deleted user are found. */
export const subjectsOf = ({ keyring }: Pick<App, 'keyring'>, userId: string): string[] => keyring.hashes(purpose, userId)

/** Before the user is deleted, with whom all rows go that still name them. */
export async function keepProofs(tx: App, userId: string): Promise<void> {
  if (tx.config.terms.erasure === 'delete') return
  const proof = { userId: null, subject: tx.keyring.hash(purpose, userId), ipAddress: null, device: null }
  await tx.db.updateTable('termsAcceptance').set(proof).where('userId', '=', userId).execute()
}
