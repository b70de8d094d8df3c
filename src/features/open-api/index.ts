/** The OpenAPI 3.1 document, generated from the route declarations, and the API reference page that shows it. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { html as markup, raw } from 'hono/html'
import { getMimeType } from 'hono/utils/mime'
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { section } from '../../core/config.ts'
import { ApiError, errors } from '../../core/errors.ts'
import { settings } from '../../core/feature.ts'
import { anyone } from '../../core/permissions.ts'
import { asset, html } from '../../core/reply.ts'
import { apiPath, route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { contentSecurityPolicy, favicon, logo } from '../pages/index.ts'
import { openAPIDocument } from './document.ts'

export { openAPIDocument } from './document.ts'

export const area = 'Open-api'
export const plugin = 'open-api'

export const enabled = (config: Config) => config.openAPI.enabled

export const config = {
  openAPI: section('OpenAPI document and API reference page, public for everyone who can reach the API', {
    disableDefaultReference: z.boolean().default(false).describe('Serve the OpenAPI document without the reference page'),
  }),
}

export const publicSettings = settings({ openAPI: z.boolean() }, ({ openAPI }) => ({
  openAPI: openAPI.enabled && !openAPI.disableDefaultReference,
}))

const fromPackage = (name: string) => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))
const fromHere = (name: string) => readFile(new URL(name, import.meta.url))

/** The files of the page. All are local, so that the page works without a network. */
const assets: Readonly<Record<string, (name: string) => Promise<Buffer>>> = {
  'swagger-ui.css': fromPackage,
  'swagger-ui-bundle.js': fromPackage,
  'reference.css': fromHere,
  'reference.js': fromHere,
}

// Swagger UI needs style attributes and icons from data URLs.
const policy = contentSecurityPolicy(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
)

const hasPage = ({ openAPI }: Config) => !openAPI.disableDefaultReference

/** Read once, also by requests at the same time: a copy of the largest, 1.7 MB, for each of hundreds of slow clients would fill the memory. */
const filesOf = memo((_: App) => new Map<string, Promise<Uint8Array<ArrayBuffer>>>())

/** Made once: it takes tens of milliseconds, and everyone may request it. */
const documentOf = memo((app: App) => {
  const text = JSON.stringify(openAPIDocument(app))
  const hash = createHash('sha256').update(text).digest('base64url')
  return {
    plain: { body: new Uint8Array(Buffer.from(text)), headers: { etag: `"${hash}"` } },
    gzip: { body: new Uint8Array(gzipSync(text)), headers: { etag: `"${hash}-gzip"`, 'content-encoding': 'gzip' } },
  }
})

/** Caches ask whether it is still the same (RFC 9111 §5.2.2.4). */
const documentHeaders = {
  vary: 'Origin, Accept-Encoding',
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** RFC 9110 §13.1.2: proxies that compress mark a tag as weak, which is compared all the same. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')))

/** RFC 9110 §12.5.3, without weights but for a refusal. */
const acceptsGzip = (header: string | undefined): boolean => /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/.test(header ?? '')

export const routes = {
  'GET /open-api/generate-schema': route({
    summary: 'Generate the OpenAPI document',
    description:
      'Returns the OpenAPI 3.1 document of the enabled features, for client generators and API tools. This reference is made from it.',
    access: anyone(),
    returns: z.looseObject({ openapi: z.string() }),
    handler: (ctx) => {
      const { plain, gzip } = documentOf(ctx)
      const { body, headers } = acceptsGzip(ctx.request.header('accept-encoding')) ? gzip : plain
      const shown = isKnown(ctx.request.header('if-none-match'), headers.etag) ? null : body
      return asset(shown, 'application/json', { ...documentHeaders, ...headers })
    },
  }),
  'GET /reference': route({
    summary: 'Open the API reference',
    access: anyone(),
    returns: z.never(),
    exists: hasPage,
    undocumented: true,
    handler: (ctx) => {
      const base = apiPath(ctx.config)
      const body = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${ctx.config.appName}</title>
<link rel="icon" href="${favicon()}">
<link rel="stylesheet" href="${base}/reference/reference.css">
</head>
<body data-document="${base}/open-api/generate-schema">
<header class="frame-head">${raw(logo())}<strong>${ctx.config.appName} API</strong>
<a href="${base}/open-api/generate-schema" download="openapi.json">OpenAPI document</a>
<button type="button" id="theme">Dark mode</button></header>
<div class="frame"><nav id="calls" aria-label="Calls"></nav><main id="reference"></main></div>
<script src="${base}/reference/swagger-ui-bundle.js"></script>
<script type="module" src="${base}/reference/reference.js"></script>
</body>
</html>
`
      return html(String(body), { 'content-security-policy': policy })
    },
  }),
  'GET /reference/:asset': route({
    summary: 'Get a file of the API reference',
    access: anyone(),
    params: z.object({ asset: z.string() }),
    returns: z.never(),
    exists: hasPage,
    undocumented: true,
    handler: async (ctx) => {
      const name = ctx.params.asset
      const read = Object.hasOwn(assets, name) ? assets[name] : undefined
      const contentType = getMimeType(name)
      if (!read || !contentType) throw new ApiError(errors.NOT_FOUND)
      const files = filesOf(ctx)
      const reading = files.get(name) ?? read(name).then((bytes) => new Uint8Array(bytes))
      files.set(name, reading)
      // After a failure, such as too many open files, the next request tries again.
      reading.catch(() => files.delete(name))
      return asset(await reading, contentType)
    },
  }),
}
