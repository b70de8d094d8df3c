/** Pictures of users and organizations: fetched from where their URL says, made small, and kept for a while. */
import { createHash } from 'node:crypto'
import { type App, memo } from '../../core/app.ts'
import { apiURL } from '../../core/route.ts'
import { insertUnlessExists } from '../../core/write.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** A picture may change without its URL. */
const keptMs = 86_400_000
/** A server that does not respond now may do so later. */
const keptMissingMs = 3_600_000
const fetchTimeoutMs = 5000

/** Everyone can give themselves a URL, and must not make this server send many requests to others. */
const fetchesOfOwner = { window: 3600, max: 12 }
const fetchesOfAll = { window: 60, max: 120 }

/** A small picture as it is stored. */
export const decode = (image: string): Bytes => new Uint8Array(Buffer.from(image, 'base64'))
export const encode = (bytes: Bytes): string => Buffer.from(bytes).toString('base64')

/** The URL of a picture that a user has uploaded. Apps can show it without a session: its ID cannot be guessed. */
export const uploadedURL = ({ config }: Pick<App, 'config'>, id: string): string => `${apiURL(config)}/picture/${id}`

/** @returns the picture with this ID, while it is the picture of its user; null: there is none */
export async function findUploaded(app: App, id: string): Promise<Bytes | null> {
  const found = await app.db
    .selectFrom('userPicture')
    .innerJoin('user', 'user.id', 'userPicture.userId')
    .select(['userPicture.image', 'user.image as url'])
    .where('userPicture.id', '=', id)
    .executeTakeFirst()
  return found && found.url === uploadedURL(app, id) ? decode(found.image) : null
}

/** @param url any length @returns the key of what is kept of it */
export const keyOf = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 32)

/** Requests for a picture that is being fetched wait for it. */
const loading = memo((_: App) => new Map<string, Promise<Bytes | null>>())

/**
 * @param owner the ID of the user or organization whose picture it is
 * @param url as it was given: any text
 * @returns WebP; null when there is no picture that can be shown
 */
export async function loadPicture(app: App, owner: string, url: string): Promise<Bytes | null> {
  const uploaded = uploadedURL(app, '')
  if (url.startsWith(uploaded)) return findUploaded(app, url.slice(uploaded.length))
  const key = keyOf(url)
  const kept = await app.db.selectFrom('avatar').select(['image', 'expiresAt']).where('id', '=', key).executeTakeFirst()
  if (kept && kept.expiresAt > app.now()) return kept.image === null ? null : decode(kept.image)
  const started = loading(app).get(key) ?? fetchOnce(app, owner, key, url)
  loading(app).set(key, started)
  return started.finally(() => loading(app).delete(key))
}

async function fetchOnce(app: App, owner: string, key: string, url: string): Promise<Bytes | null> {
  const source = sourceOf(url)
  if (!source) return null
  if (source instanceof URL && !(await mayFetch(app, owner))) return null
  const bytes = source instanceof URL ? await fetchPicture(app, source) : source
  const made = bytes && (await app.resizePicture(bytes))
  const expiresAt = new Date(app.now().getTime() + (made ? keptMs : keptMissingMs))
  // The response does not wait, nor does it fail when the database can only be read.
  app.defer(async (outermost) => {
    await outermost.db.deleteFrom('avatar').where('id', '=', key).execute()
    const row = { id: key, image: made && encode(made), expiresAt }
    await insertUnlessExists(outermost, outermost.db.insertInto('avatar').values(row))
  })
  return made
}

/** Only what has its place on a page that came by HTTPS, at the usual port. Null: nothing to show. */
function sourceOf(text: string): URL | Bytes | null {
  const [, data] = /^data:image\/(?:jpeg|png|webp);base64,([\w+/=]+)$/i.exec(text) ?? []
  if (data !== undefined) return decode(data)
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '' ? url : null
}

async function mayFetch(app: App, owner: string): Promise<boolean> {
  const own = await app.rateLimits.take(`avatars|${owner}`, fetchesOfOwner)
  return own.allowed && (await app.rateLimits.take('avatars', fetchesOfAll)).allowed
}

async function fetchPicture(app: App, url: URL): Promise<Bytes | null> {
  try {
    const headers = { accept: 'image/webp, image/png, image/jpeg' }
    const response = await app.fetchPublic(url, { headers, signal: AbortSignal.timeout(fetchTimeoutMs) })
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
  } catch (error) {
    // Any user can cause it.
    app.log.debug({ err: error, host: url.hostname }, 'A picture cannot be fetched')
    return null
  }
}
