/** The links of notices that lock an account: random tokens, stored as hashes, which expire and work once. */
import type { Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { guardSharedAttempt } from '../attempts/index.ts'
import type { Database } from '../index.ts'
import { lockPageURL } from '../outbox/index.ts'
import { findUserById } from '../users/index.ts'
import { errors as tokenErrors } from '../verifications/index.ts'

const purpose = 'lock-account'
const tokenLength = 24

export type LockLink = Selectable<Database['lockLink']>

/** Creates a link for a notice that is delivered now. @returns its page; null when there is none, or no such user */
export async function createLockLink(app: App, { userId, email }: Pick<LockLink, 'userId' | 'email'>): Promise<string | null> {
  const token = app.random.token(tokenLength)
  const url = lockPageURL(app.config, token)
  if (url === null || !(await findUserById(app, userId))) return null
  const expiresAt = new Date(app.now().getTime() + app.config.notices.lockLinkExpiresIn * 1000)
  const row = { id: app.random.id(), userId, tokenHash: app.keyring.hash(purpose, token), email, expiresAt }
  await app.db.insertInto('lockLink').values(row).execute()
  return url
}

const findUsable = (app: App, token: string): Promise<LockLink | undefined> =>
  app.db
    .selectFrom('lockLink')
    .selectAll()
    .where('tokenHash', 'in', app.keyring.hashes(purpose, token))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', app.now())
    .executeTakeFirst()

/**
 * Finds a link and its user, without using it. Unknown tokens count as failures of their network.
 * @throws ApiError INVALID_TOKEN, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function findLockLink(
  ctx: CallContext,
  token: string,
): Promise<{ readonly link: LockLink; readonly user: UserRow }> {
  const shared = { claim: purpose, networkAddress: ctx.request.networkAddress(), policy: 'perNetwork' } as const
  const link = await guardSharedAttempt(ctx, shared, async () => (await findUsable(ctx, token)) ?? null)
  const user = link && (await findUserById(ctx, link.userId))
  if (link && user) {
    ctx.subject.userId = user.id
    return { link, user }
  }
  ctx.subject.hasFailed = true
  throw new ApiError(tokenErrors.INVALID_TOKEN)
}

/** Uses a link, in the transaction of the lock. Of concurrent uses one succeeds. @throws ApiError INVALID_TOKEN for the others */
export async function useLockLink(tx: App, { id }: Pick<LockLink, 'id'>): Promise<void> {
  const used = tx.db.updateTable('lockLink').set({ usedAt: tx.now() }).where('id', '=', id)
  const { numUpdatedRows } = await used.where('usedAt', 'is', null).where('expiresAt', '>', tx.now()).executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ApiError(tokenErrors.INVALID_TOKEN)
}

/** The email addresses to which notices with usable links were sent, such as that before a change; a few at most. */
export async function findNoticeAddresses({ db, now }: App, userId: string): Promise<string[]> {
  const own = db.selectFrom('lockLink').select('email').distinct().where('userId', '=', userId).where('expiresAt', '>', now())
  const sent = await own.where('email', 'is not', null).orderBy('email').limit(mostAddresses).execute()
  return sent.flatMap(({ email }) => email ?? [])
}
const mostAddresses = 5

/** Deletes the links that were sent anywhere but to the current address: a thief may have them. */
export async function deleteForeignLinks({ db }: App, { id, email }: Pick<UserRow, 'id' | 'email'>): Promise<void> {
  const elsewhere = db.deleteFrom('lockLink').where('userId', '=', id)
  await elsewhere.where((eb) => eb.or([eb('email', '!=', email), eb('email', 'is', null)])).execute()
}
