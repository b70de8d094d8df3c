/** Responds to requests outside of the API: pages, which the server or a script renders, and their files. */
import { getMimeType } from 'hono/utils/mime'
import type { App } from '../core/app.ts'
import type { Dashboard } from '../core/ports.ts'
import type { Page } from '../core/reply.ts'
import { apiPath } from '../core/route.ts'
import { basePath, everyHeader } from './dashboard.ts'
import { sendEncoded } from './encoded.ts'
import type { Handle } from './handle.ts'
import { createHosted } from './hosted.ts'
import { createForms } from './hosted-forms.ts'
import type { Received } from './request.ts'
import type { Sent } from './respond.ts'

export interface Pages {
  /** @returns null for a path that is not for pages */
  readonly open: (received: Received) => Promise<Sent | null>
  /** @returns null for what is not a form that a browser sends */
  readonly submit: (received: Received) => Promise<Sent | null>
}

/** @param handle makes the calls of pages and forms */
export function createPages(
  app: App,
  { pages, hosted: hostedPages, headers: pageHeaders, files }: Dashboard,
  handle: Handle,
): Pages {
  const [base, api] = [basePath(app), apiPath(app.config)]
  const headers = { ...everyHeader(app), 'cross-origin-resource-policy': 'same-origin' }
  const hosted = createHosted(app, { pages: hostedPages, handle, headers: pageHeaders, base })
  const find = pageFinder(pages)
  const respond = async (received: Received, path: string): Promise<Sent> => {
    const file = files.get(path)
    const pagePath = `/${path}`.replace(/(?<=.)\/$/, '')
    const page = find(pagePath)
    const isRead = ['GET', 'HEAD'].includes(received.method)
    if (!isRead) {
      if (file || page || hostedPages.find(pagePath)) return plain(405, 'Method Not Allowed', { ...headers, allow: 'GET, HEAD' })
      return plain(404, 'Not Found', headers)
    }
    if (file) return sendEncoded(received, 200, file, { ...headers, 'cache-control': cachingOf(path) })
    if (page) return { status: 200, headers: { ...page.headers, 'content-type': page.contentType }, body: page.body }
    const sent = await hosted.open(received, pagePath)
    if (sent) return sent
    // A script that finds a page in place of its file would fail in a confusing way.
    const isFile = path.startsWith('assets/') || getMimeType(path) !== undefined
    return isFile ? plain(404, 'Not Found', headers) : hosted.unknown(received)
  }
  return {
    open: async (received) => {
      const { path } = received
      if (!`${path}/`.startsWith(base) || path === api || path.startsWith('/.well-known/')) return null
      return respond(received, path.slice(base.length))
    },
    submit: createForms(app, { handle, hosted, pages: hostedPages, base }),
  }
}

/** Segments that start with `$` are parameters, such as an ID. A page without them comes first. */
function pageFinder(pages: Dashboard['pages']): (path: string) => Page | undefined {
  const patterns = [...pages]
    .filter(([path]) => path.includes('/$'))
    .map(([path, page]) => [new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`), page] as const)
  return (path) => pages.get(path) ?? patterns.find(([pattern]) => pattern.test(path))?.[1]
}

/** The names of files in `assets` contain a hash of their content (RFC 8246). */
const cachingOf = (path: string): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'

const plain = (status: number, body: string, headers: Readonly<Record<string, string>>): Sent => ({
  status,
  headers: { ...headers, 'cache-control': 'no-store', 'content-type': 'text/plain' },
  body,
})
