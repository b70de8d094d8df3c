/**
 * Pictures of users and logos of organizations, for pages that load nothing from other sites: visitors do not reveal to a stranger's server
 * that they look at this user, and no picture is larger than it is shown.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, defineErrors, errors as kernelErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import { allows, anyone, grantsOf, session } from '../../core/permissions.ts'
import { asset } from '../../core/reply.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { id, index, integer, nullable, references, text, timestamp, unique } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { isKnownTag } from '../../lib/negotiation.ts'
import type { Config } from '../index.ts'
import { reissueSession } from '../sessions/index.ts'
import { findUserById, updateUserFields, errors as userErrors, userUpdate } from '../users/index.ts'
import { type Bytes, decode, encode, findUploaded, keyOf, loadPicture, uploadedURL } from './pictures.ts'
import { deletionJob, discardCopies, putPicture } from './store.ts'

export { config } from './store.ts'

export const area = 'User profile'

export const errors = defineErrors({
  INVALID_PICTURE: [400, 'Invalid picture'],
})

export const tables = {
  /** What was fetched, by a hash of its URL; without an image: that there is none. */
  avatar: { id: id(), image: nullable(text()), expiresAt: timestamp() },
  /** What users have uploaded; `image` is empty for one that is in the store of the operator, at `url`. */
  userPicture: { id: id(), userId: unique(references('user')), image: text(), url: nullable(text()), createdAt: timestamp() },
  /** Copies in the store of the operator that are to be deleted. */
  pictureDeletion: { id: id(), url: text(), nextAttemptAt: timestamp(), attempts: integer() },
}

export const indexes = { avatar: [index('expiresAt')], pictureDeletion: [index('nextAttemptAt', 'id')] }

const sweepAvatars: Job['run'] = (app, signal) => sweepEnded(app, signal, { table: 'avatar', column: 'expiresAt' })
export const jobs = { avatars: { every: 86_400, run: sweepAvatars }, pictureDeletions: deletionJob }

export const on: Listeners = {
  'user.deleting': (app, { userId }) => discardPicture(app, userId),
  // The user has chosen a picture elsewhere.
  'user.updated': async (app, { userId, columns }) => {
    if (columns?.image !== undefined) await discardPicture(app, userId, columns.image)
  },
  'user.erasing': async (app, { user }) => {
    if (user.image) await app.db.deleteFrom('avatar').where('id', '=', keyOf(user.image)).execute()
  },
}

/** @param kept URL of the picture that stays */
async function discardPicture(app: App, userId: string, kept: string | null = null): Promise<void> {
  const found = await app.db.selectFrom('userPicture').select(['id', 'url']).where('userId', '=', userId).executeTakeFirst()
  if (!found || kept === (found.url ?? uploadedURL(app, found.id))) return
  await app.db.deleteFrom('userPicture').where('id', '=', found.id).execute()
  await discardCopies(app, [found.url])
}

type SignedIn = CallContext & { readonly user: UserRow }

const permits = async (ctx: SignedIn, resource: 'user' | 'organization') =>
  allows(await grantsOf(ctx, ctx.user), { [resource]: ['list'] })

/** Users see themselves and those with whom they share an organization; administrators see all. */
async function maySeeUser(ctx: SignedIn, userId: string): Promise<boolean> {
  if (ctx.user.id === userId || (await isFellow(ctx, userId))) return true
  return permits(ctx, 'user')
}

async function isFellow({ config, db, user }: SignedIn, userId: string): Promise<boolean> {
  // Without its feature, the table does not exist.
  if (!config.organization?.enabled) return false
  const shared = db
    .selectFrom('member as own')
    .innerJoin('member as other', 'other.organizationId', 'own.organizationId')
    .select('other.id')
    .where('own.userId', '=', user.id)
    .where('other.userId', '=', userId)
  return (await shared.limit(1).executeTakeFirst()) !== undefined
}

async function findLogo(ctx: SignedIn, organizationId: string): Promise<string | null> {
  const found = await ctx.db
    .selectFrom('organization')
    .leftJoin('member', (join) =>
      join.onRef('member.organizationId', '=', 'organization.id').on('member.userId', '=', ctx.user.id),
    )
    .select(['organization.logo', 'member.id as memberId'])
    .where('organization.id', '=', organizationId)
    .executeTakeFirst()
  return found && (found.memberId !== null || (await permits(ctx, 'organization'))) ? found.logo : null
}

/** It runs nothing, wherever it is opened. */
const policy = "default-src 'none'; frame-ancestors 'none'; sandbox"

function reply(ctx: CallContext, bytes: Bytes | null, headers: Readonly<Record<string, string>>) {
  if (!bytes) throw new ApiError(kernelErrors.NOT_FOUND)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const isKnown = isKnownTag(ctx.request.header('if-none-match'), etag)
  return asset(isKnown ? null : bytes, 'image/webp', { 'content-security-policy': policy, etag, ...headers })
}

/** The page that shows it asks with the cookie of its user. */
const privately = { 'cache-control': 'private, max-age=3600', 'cross-origin-resource-policy': 'same-origin' }
const publicly = { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' }

/** Of a page with many users. */
const rateLimit = { window: 10, max: 400 }
const params = z.object({ id: z.string().max(64) })

/** A picture in base64: as much as a request may have by default, with room for the rest. */
const picture = z
  .string()
  .max(120_000)
  .regex(/^data:image\/(jpeg|png|webp);base64,[\w+/=]+$/)
  .meta({ examples: ['data:image/webp;base64,UklGRiQAAABXRUJQ'] })

async function storePicture(ctx: CallContext, userId: string, data: string | null): Promise<string | null> {
  const bytes = data === null ? null : await ctx.resizePicture(decode(data.slice(data.indexOf(',') + 1)))
  if (data !== null && !bytes) throw new ApiError(errors.INVALID_PICTURE)
  const pictureId = ctx.random.id()
  const url = bytes && (await putPicture(ctx, userId, pictureId, bytes))
  const image = bytes && (url ?? uploadedURL(ctx, pictureId))
  try {
    await write(ctx, [userUpdate(ctx, { image })], async (tx, draft) => {
      await discardPicture(tx, userId)
      const row = bytes && { id: pictureId, userId, image: url === null ? encode(bytes) : '', url, createdAt: tx.now() }
      if (row) await tx.db.insertInto('userPicture').values(row).execute()
      return updateUserFields(tx, userId, draft)
    })
  } catch (error) {
    // Nothing refers to the new copy.
    if (url !== null) await transaction(ctx, (tx) => discardCopies(tx, [url]))
    throw error
  }
  return image
}

export const routes = {
  'GET /avatar/:id': route({
    summary: 'Show the picture of a user',
    access: session(),
    params,
    returns: z.never(),
    rateLimit,
    undocumented: true,
    handler: async (ctx) => {
      const user = (await maySeeUser(ctx, ctx.params.id)) ? await findUserById(ctx, ctx.params.id) : null
      return reply(ctx, user?.image ? await loadPicture(ctx, user.id, user.image) : null, privately)
    },
  }),
  'GET /organization/logo/:id': route({
    summary: 'Show the logo of an organization',
    access: session(),
    params,
    returns: z.never(),
    rateLimit,
    undocumented: true,
    exists: ({ organization }: Config) => organization?.enabled ?? false,
    handler: async (ctx) => {
      const logo = await findLogo(ctx, ctx.params.id)
      return reply(ctx, logo ? await loadPicture(ctx, ctx.params.id, logo) : null, privately)
    },
  }),
  'GET /picture/:id': route({
    summary: 'Show an uploaded picture',
    access: anyone(),
    params,
    returns: z.never(),
    rateLimit,
    undocumented: true,
    handler: async (ctx) => reply(ctx, await findUploaded(ctx, ctx.params.id), publicly),
  }),
  'POST /update-picture': route({
    summary: 'Change the picture',
    description:
      'Stores a picture of the current user, and sets `image` to its URL, which everyone who knows it can open. The middle of the picture is made a square of 168 pixels; nothing else of the file is kept. `null` deletes the picture. Fails when the file is not a JPEG, PNG or WebP image, or has more than 4 million pixels.',
    access: session(),
    rateLimit: { window: 60, max: 10 },
    body: z.object({ picture: picture.nullable().describe('A data URL; `null` for none') }),
    returns: z.object({ image: z.string().nullable() }),
    errors: [errors.INVALID_PICTURE, userErrors.FAILED_TO_UPDATE_USER],
    handler: async (ctx) => {
      const image = await storePicture(ctx, ctx.user.id, ctx.body.picture)
      await reissueSession(ctx, ctx.session)
      return { image }
    },
  }),
}
