import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { apiPath } from '../../core/base-url.ts'
import { ApiError, errors } from '../../core/errors.ts'
import { contentSecurityPolicy, icon } from '../../core/page.ts'
import { asset, html } from '../../core/reply.ts'
import { route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { openAPIDocument } from './document.ts'

const fromPackage = (name: string) => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))

/** The files of the page. Each comes from this machine: the page works with no network. */
const assets: Record<string, { readonly contentType: string; readonly read: (base: string) => Promise<Buffer> }> = {
  'swagger-ui.css': { contentType: 'text/css; charset=utf-8', read: () => fromPackage('swagger-ui.css') },
  'swagger-ui-bundle.js': { contentType: 'text/javascript; charset=utf-8', read: () => fromPackage('swagger-ui-bundle.js') },
  'initializer.js': {
    contentType: 'text/javascript; charset=utf-8',
    read: async (base) =>
      Buffer.from(
        `SwaggerUIBundle({ url: ${JSON.stringify(`${base}/open-api/generate-schema`)}, dom_id: '#reference', validatorUrl: null, docExpansion: 'list' })\n`,
      ),
  },
}

// Swagger UI writes style attributes into its markup and draws its icons from data URLs.
const policy = contentSecurityPolicy(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
)

const hasPage = ({ openAPI }: Config) => !openAPI.disableDefaultReference

export const routes = {
  'GET /open-api/generate-schema': route({
    summary: 'The OpenAPI document of this API',
    access: 'public',
    returns: z.looseObject({ openapi: z.string() }),
    handler: (ctx) => openAPIDocument(ctx) as { openapi: string },
  }),
  'GET /reference': route({
    summary: 'A page that shows the OpenAPI document',
    access: 'public',
    returns: z.never(),
    exists: hasPage,
    undocumented: true,
    handler: (ctx) => {
      const base = `${apiPath(ctx.config)}/reference`
      const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${base}/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="${base}/swagger-ui-bundle.js"></script>
<script src="${base}/initializer.js"></script>
</body>
</html>
`
      return html(body, { 'content-security-policy': policy })
    },
  }),
  'GET /reference/:asset': route({
    summary: 'A file of the reference page',
    access: 'public',
    params: z.object({ asset: z.string() }),
    returns: z.never(),
    exists: hasPage,
    undocumented: true,
    handler: async (ctx) => {
      const found = Object.hasOwn(assets, ctx.params.asset) ? assets[ctx.params.asset] : undefined
      if (!found) throw new ApiError(errors.NOT_FOUND)
      return asset(new Uint8Array(await found.read(apiPath(ctx.config))), found.contentType)
    },
  }),
}
