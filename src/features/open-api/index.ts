/** The OpenAPI 3.1 document, generated from the route declarations, and the API reference page that shows it. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { section } from '../../core/config.ts'
import { settings } from '../../core/feature.ts'
import { anyone } from '../../core/permissions.ts'
import { asset } from '../../core/reply.ts'
import { route } from '../../core/route.ts'
import { acceptsCoding, isKnownTag } from '../../lib/negotiation.ts'
import type { Config } from '../index.ts'
import { openAPIDocument } from './document.ts'
import { openReference } from './reference.ts'

export { type AdministrationCall, administrationCalls } from './administration-calls.ts'
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

const hasPage = ({ openAPI }: Config) => !openAPI.disableDefaultReference

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

export const routes = {
  'GET /open-api/generate-schema': route({
    summary: 'Generate the OpenAPI document',
    description:
      'Returns the OpenAPI 3.1 document of the enabled features, for client generators and API tools. This reference is made from it.',
    access: anyone(),
    returns: z.looseObject({ openapi: z.string() }),
    handler: (ctx) => {
      const { plain, gzip } = documentOf(ctx)
      const { body, headers } = acceptsCoding(ctx.request.header('accept-encoding'), 'gzip') ? gzip : plain
      const shown = isKnownTag(ctx.request.header('if-none-match'), headers.etag) ? null : body
      return asset(shown, 'application/json', { ...documentHeaders, ...headers })
    },
  }),
  'GET /reference': route({
    summary: 'Open the API reference',
    access: anyone(),
    returns: z.never(),
    exists: hasPage,
    undocumented: true,
    handler: (ctx) => openReference(ctx, ''),
  }),
  'GET /reference/:name': route({
    summary: 'Open a page of the API reference',
    access: anyone(),
    params: z.object({ name: z.string() }),
    returns: z.never(),
    exists: hasPage,
    undocumented: true,
    handler: (ctx) => openReference(ctx, ctx.params.name),
  }),
}
