/** The pages of the API reference. The build of the dashboard has what renders them, and their files. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { getMimeType } from 'hono/utils/mime'
import { type App, memo } from '../../core/app.ts'
import { brandStyle } from '../../core/brand.ts'
import { ApiError, errors } from '../../core/errors.ts'
import type { HostedModule, ReferencePages } from '../../core/hosted.ts'
import { localeCookie } from '../../core/preferences.ts'
import { readPublicSettings } from '../../core/public-settings.ts'
import { asset, type Page } from '../../core/reply.ts'
import type { CallContext } from '../../core/request.ts'
import { apiPath } from '../../core/route.ts'
import { longestMaxAge, serializeCookie } from '../../lib/cookie.ts'
import { chooseLocale, closestLocale } from '../../lib/locale.ts'
import { acceptsCoding, isKnownTag } from '../../lib/negotiation.ts'
import { contentSecurityPolicy } from '../pages/index.ts'
import { openAPIDocument } from './document.ts'

const built = new URL('../../../dashboard/dist/', import.meta.url)
const fileAt = (name: string) => new URL(`public/assets/${name}`, built)

/** Fonts are compressed already. */
interface BuiltFile {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer> | null
}

interface Open extends ReferencePages {
  readonly headers: Readonly<Record<string, string>>
  /** Compressed, by name, language and theme: a page is rendered once. */
  readonly rendered: Map<string, Uint8Array<ArrayBuffer>>
  /** Names of files that exist, with the promise of those that were requested. */
  readonly assets: Map<string, Promise<BuiltFile> | null>
}

/** Opened by the first request: it costs nothing until then. */
const reference = memo(open)

/** @throws ApiError NOT_FOUND in a repository that is not built */
async function open(app: App): Promise<Open> {
  const renderer = new URL('render.js', built)
  if (!existsSync(renderer)) throw new ApiError(errors.NOT_FOUND)
  const { createReferencePages }: HostedModule = await import(renderer.href)
  const settings = readPublicSettings(app)
  // The hosted pages serve the files of the brand.
  const files = app.dashboard ? {} : { logo: null, logoDark: null, favicon: null, font: null }
  const branding = { ...settings.branding, ...files, cover: null }
  const style = brandStyle(branding)
  const path = apiPath(app.config)
  const pages = await createReferencePages({
    document: openAPIDocument(app),
    settings: { ...settings, branding },
    style,
    base: `${path}/reference`,
    documentPath: `${path}/open-api/generate-schema`,
  })
  const fonts = await Promise.all(pages.files.filter((name) => name.endsWith('.css')).map(fontsIn))
  return {
    ...pages,
    headers: pageHeaders(app, style),
    rendered: new Map(),
    assets: new Map([...pages.files, ...fonts.flat()].map((name) => [name, null])),
  }
}

const fontsIn = async (name: string): Promise<string[]> =>
  [...(await readFile(fileAt(name), 'utf8')).matchAll(/url\(["']?(?:\.\/)?([\w.-]+\.woff2)/g)].map(([, font = '']) => font)

/** As strict as that of the hosted pages; a picture of the brand may be elsewhere. */
function pageHeaders({ config, features }: App, style: string): Record<string, string> {
  const images = features.flatMap(({ pageSources }) => pageSources?.(config)['img-src'] ?? [])
  const hash = style === '' ? '' : ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  return {
    vary: 'Accept-Encoding, Accept-Language, Cookie',
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy(
      [
        "script-src 'self'",
        `style-src 'self'${hash}`,
        ['img-src', "'self'", 'data:', ...new Set(images)].join(' '),
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
      ].join('; '),
    ),
  }
}

/** @param name of a page, or of a file that pages load @throws ApiError NOT_FOUND */
export async function openReference(ctx: CallContext, name: string): Promise<Page> {
  const opened = await reference(ctx)
  if (opened.names.has(name)) return sendPage(ctx, opened, name)
  if (opened.assets.has(name)) return sendFile(ctx, opened, name)
  throw new ApiError(errors.NOT_FOUND)
}

function sendPage(ctx: CallContext, { rendered, render, headers }: Open, name: string): Page {
  const { config, request } = ctx
  const { locales } = config.dashboard
  const wanted = request.queryParameters().get('lang')
  const locale = chooseLocale([wanted, request.cookie(localeCookie)], request.header('accept-language'), locales)
  const chosen = request.cookie('latchkey.theme')
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : null
  const known = closestLocale(wanted ?? '', locales)
  if (known)
    ctx.cookies.set(localeCookie, serializeCookie(localeCookie, known, { path: '/', sameSite: 'Lax', maxAge: longestMaxAge }))
  const key = `${name} ${locale} ${theme}`
  const packed = rendered.get(key) ?? new Uint8Array(gzipSync(render({ name, locale, theme })))
  rendered.set(key, packed)
  const isPacked = acceptsCoding(request.header('accept-encoding'), 'gzip')
  const etag = `"${createHash('sha256').update(packed).digest('base64url')}${isPacked ? '-gzip' : ''}"`
  const body = isPacked ? packed : new Uint8Array(gunzipSync(packed))
  return asset(isKnownTag(request.header('if-none-match'), etag) ? null : body, 'text/html; charset=utf-8', {
    ...headers,
    etag,
    ...(isPacked && { 'content-encoding': 'gzip' }),
  })
}

const bytesOf = async (name: string): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await readFile(fileAt(name)))

async function readBuilt(name: string): Promise<BuiltFile> {
  const hasCopy = existsSync(fileAt(`${name}.gz`))
  return { plain: await bytesOf(name), gzip: hasCopy ? await bytesOf(`${name}.gz`) : null }
}

/** Its name has a hash of its content. Read once: copies for hundreds of slow clients would fill the memory. */
async function sendFile({ request }: CallContext, { assets }: Open, name: string): Promise<Page> {
  const reading = assets.get(name) ?? readBuilt(name)
  assets.set(name, reading)
  // After a failure, such as too many open files, the next request tries again.
  reading.catch(() => assets.set(name, null))
  const { plain, gzip } = await reading
  const packed = acceptsCoding(request.header('accept-encoding'), 'gzip') ? gzip : null
  return asset(packed ?? plain, getMimeType(name) ?? 'application/octet-stream', {
    vary: 'Accept-Encoding',
    'cache-control': 'public, max-age=31536000, immutable',
    ...(packed && { 'content-encoding': 'gzip' }),
  })
}
