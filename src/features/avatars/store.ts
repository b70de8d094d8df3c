/** Pictures in a store of the operator: their URLs, and the copies that are still to be deleted there. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { callback, group } from '../../core/config.ts'
import type { Job } from '../../core/feature.ts'
import { afterCommit } from '../../core/transaction.ts'
import { errorReason } from '../../lib/redact.ts'
import type { Bytes } from './pictures.ts'

interface StoredPicture {
  readonly userId: string
  /** A new one for each picture, so that caches do not show the former one. */
  readonly id: string
  /** WebP, a square of 168 pixels. */
  readonly bytes: Uint8Array
  readonly contentType: 'image/webp'
}

export const config = {
  avatars: group('Pictures that users upload', {
    store: z
      .object({
        put: callback<(picture: StoredPicture) => Promise<string>>().describe(
          'Stores a picture: gets `userId`, `id`, `bytes` and `contentType`, and returns its `https:` URL',
        ),
        delete: callback<(url: string) => Promise<void>>().describe(
          'Deletes the picture with this URL; called again until it succeeds',
        ),
      })
      .optional()
      .describe(
        'Functions that store uploaded pictures elsewhere, such as in a bucket, and delete them with their user; default: in the database',
      ),
  }),
}

const storedURL = z.url({ protocol: /^https$/ }).max(2048)

/** @returns the URL; null when the configuration has no store @throws what the function throws, or Error for another result */
export async function putPicture(app: App, userId: string, id: string, bytes: Bytes): Promise<string | null> {
  const { store } = app.config.avatars
  if (!store) return null
  const parsed = storedURL.safeParse(await store.put({ userId, id, bytes, contentType: 'image/webp' }))
  if (!parsed.success) throw new Error('avatars.store.put returned no https: URL')
  return parsed.data
}

/** Notes copies to delete, in the transaction that no longer needs them, and deletes them once it is committed. */
export async function discardCopies(tx: App, urls: readonly (string | null)[]): Promise<void> {
  const rows = urls.flatMap((url) => (url === null ? [] : [{ id: tx.random.id(), url, nextAttemptAt: tx.now(), attempts: 0 }]))
  if (rows.length === 0) return
  await tx.db.insertInto('pictureDeletion').values(rows).execute()
  await afterCommit(tx, async () => tx.defer((app) => deleteCopies(app)))
}

const batchSize = 100
const [firstDelayMs, longestDelayMs] = [60_000, 86_400_000]
/** Those that run in this process: another one would delete the same copies. */
const running = memo((_: App) => ({ work: null as Promise<void> | null }))

function deleteCopies(app: App): Promise<void> {
  const state = running(app)
  state.work ??= deleteDue(app).finally(() => {
    state.work = null
  })
  return state.work
}

async function deleteDue(app: App): Promise<void> {
  const { store } = app.config.avatars
  if (!store) return
  const due = await app.db
    .selectFrom('pictureDeletion')
    .selectAll()
    .where('nextAttemptAt', '<=', app.now())
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const { id, url, attempts } of due) {
    try {
      await store.delete(url)
      await app.db.deleteFrom('pictureDeletion').where('id', '=', id).execute()
    } catch (error) {
      const delay = Math.min(firstDelayMs * 2 ** attempts, longestDelayMs)
      const nextAttemptAt = new Date(app.now().getTime() + delay)
      await app.db
        .updateTable('pictureDeletion')
        .set({ attempts: attempts + 1, nextAttemptAt })
        .where('id', '=', id)
        .execute()
      app.log.warn({ reason: errorReason(error), attempts: attempts + 1 }, 'avatars.store.delete failed. It is called again')
    }
  }
}

/** What a process that ended, or a store that was out of order, has left. */
export const deletionJob: Job = { every: 300, run: (app) => deleteCopies(app) }
