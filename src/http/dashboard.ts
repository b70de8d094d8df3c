/** Serves the hosted pages: the files that `dashboard/` is built to, and one HTML shell for every page. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from 'hono'
import { html as markup } from 'hono/html'
import { getMimeType } from 'hono/utils/mime'
import type { App } from '../core/app.ts'
import { usesSecureCookies } from '../core/cookies.ts'
import type { PageSources } from '../core/feature.ts'
import type { Dashboard, DashboardFile } from '../core/ports.ts'
import { html, type Page } from '../core/reply.ts'
import { apiPath } from '../core/route.ts'

/** Where the build puts the files, in the repository and in the package. */
export const dashboardFolder = (): string => fileURLToPath(new URL('../../dashboard/dist', import.meta.url))

const shellName = 'index.html'
/** The paths of all pages. */
const pagesName = 'pages.json'

/**
 * Reads the built files, once: a request cannot name any other.
 * @param folder with `index.html`, `pages.json`, and with copies `NAME.br` and `NAME.gz` of files that compress well
 * @returns null when the folder has no `index.html`
 */
export function openDashboard(app: App, folder: string): Dashboard | null {
  if (!existsSync(join(folder, shellName))) return null
  const names = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const read = (name: string) => (names.includes(name) ? new Uint8Array(readFileSync(join(folder, name))) : null)
  const files = names
    .filter((name) => name !== shellName && name !== pagesName && !/\.(br|gz)$/.test(name))
    .flatMap((name): [string, DashboardFile][] => {
      const bytes = read(name)
      if (!bytes) return []
      return [
        [
          name,
          {
            contentType: getMimeType(name) ?? 'application/octet-stream',
            bytes,
            br: read(`${name}.br`),
            gzip: read(`${name}.gz`),
          },
        ],
      ]
    })
  const fill = createShell(app, readFileSync(join(folder, shellName), 'utf8'))
  const [plainPage, sessionPage] = [fill({}), fill({ usesSession: true })]
  const declared: readonly DeclaredPage[] = JSON.parse(readFileSync(join(folder, pagesName), 'utf8'))
  const pages = declared.map(({ path, access }) => [path, access === 'anyone' ? plainPage : sessionPage] as const)
  return {
    errorPage: (page, noScript) => fill({ page, noScript }),
    pages: new Map(pages),
    unknownPage: plainPage,
    files: new Map(files),
  }
}

interface DeclaredPage {
  readonly path: string
  readonly access: string
}

const everyHeader = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
const strictTransport = (app: App) =>
  usesSecureCookies(app.config) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}

interface ShellValues {
  /** Path and query of the page. Default: those in the address bar. */
  readonly page?: string
  /** HTML for browsers without JavaScript. */
  readonly noScript?: string
  /** Whether the page begins with a look at the session, which then loads with the scripts. */
  readonly usesSession?: boolean
}

const needsScript = '<p>This page needs JavaScript. Turn it on in your browser, then reload the page.</p>'

/** @returns a function that fills in the placeholders of `index.html` */
function createShell(app: App, template: string): (values: ShellValues) => Page {
  const headers = {
    ...everyHeader,
    ...strictTransport(app),
    // A page must never be older than the files it names.
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy(app),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-frame-options': 'DENY',
  }
  const api = escapeHTML(apiPath(app.config))
  const preload = `<link rel="preload" as="fetch" href="${api}/get-session?disableCustomSession=true" crossorigin="use-credentials">`
  return ({ page = '', noScript = needsScript, usesSession = false }) => {
    const values: Readonly<Record<string, string>> = {
      BASE: escapeHTML(basePath(app)),
      API: api,
      TITLE: escapeHTML(app.config.appName),
      PAGE: escapeHTML(page),
      SESSION: usesSession ? preload : '',
      NOSCRIPT: noScript,
    }
    // In one step, so that no value is searched for placeholders.
    const filled = template.replaceAll(/__(BASE|API|TITLE|PAGE|SESSION|NOSCRIPT)__/g, (_, name: string) => values[name] ?? '')
    return html(filled, headers)
  }
}

const escapeHTML = (text: string): string => String(markup`${text}`)

/** With a slash at both ends. */
const basePath = ({ config }: App): string => (config.dashboard.path === '/' ? '/' : `${config.dashboard.path}/`)

/** Strict (ASVS 3.4.3): only the files of the pages, and what features load from elsewhere. */
function contentSecurityPolicy({ features, config }: App): string {
  const sources = features.map(({ pageSources }) => pageSources?.(config) ?? {})
  const directive = (name: keyof PageSources, own: readonly string[]) => {
    const all = [...own, ...sources.flatMap((each) => each[name] ?? [])]
    return all.length === 0 ? [] : [`${name} ${all.join(' ')}`]
  }
  return [
    "default-src 'none'",
    ...directive('script-src', ["'self'"]),
    ...directive('style-src', ["'self'"]),
    ...directive('img-src', ["'self'", 'data:']),
    ...directive('connect-src', ["'self'"]),
    ...directive('frame-src', []),
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** @returns a function that responds to requests for pages and their files, and returns null for any other path */
export function createPages(app: App, { pages, unknownPage, files }: Dashboard): (call: Pick<Context, 'req'>) => Response | null {
  const [base, api] = [basePath(app), apiPath(app.config)]
  const headers = { ...everyHeader, ...strictTransport(app), 'cross-origin-resource-policy': 'same-origin' }
  const find = pageFinder(pages)
  const respond = (call: Pick<Context, 'req'>, path: string): Response => {
    const file = files.get(path)
    const page = find(`/${path}`.replace(/(?<=.)\/$/, ''))
    const isRead = ['GET', 'HEAD'].includes(call.req.method)
    if (!isRead && (file || page)) return plain(405, 'Method Not Allowed', { ...headers, allow: 'GET, HEAD' })
    if (file) return fileResponse(call, file, { ...headers, 'cache-control': cachingOf(path) })
    if (page) return pageResponse(page, 200)
    // A script that finds a page in place of its file would fail in a confusing way.
    const isFile = path.startsWith('assets/') || getMimeType(path) !== undefined
    return isRead && !isFile ? pageResponse(unknownPage, 404) : plain(404, 'Not Found', headers)
  }
  return (call) => {
    const { path } = call.req
    if (!`${path}/`.startsWith(base) || path === api || path.startsWith('/.well-known/')) return null
    return respond(call, path.slice(base.length))
  }
}

/** Segments that start with `$` are parameters, such as an ID. A page without them comes first. */
function pageFinder(pages: Dashboard['pages']): (path: string) => Page | undefined {
  const patterns = [...pages]
    .filter(([path]) => path.includes('/$'))
    .map(([path, page]) => [new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`), page] as const)
  return (path) => pages.get(path) ?? patterns.find(([pattern]) => pattern.test(path))?.[1]
}

const pageResponse = ({ body, headers, contentType }: Page, status: number): Response =>
  new Response(body, { status, headers: { ...headers, 'content-type': contentType } })

/** The names of files in `assets` contain a hash of their content (RFC 8246). */
const cachingOf = (path: string): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'

function fileResponse(call: Pick<Context, 'req'>, file: DashboardFile, headers: Readonly<Record<string, string>>): Response {
  const accepted = call.req.header('accept-encoding') ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && accepts(accepted, name))
  return new Response((encoding && file[encoding]) ?? file.bytes, {
    headers: {
      ...headers,
      'content-type': file.contentType,
      vary: 'Accept-Encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
  })
}

/** Whether a client accepts a content coding, which it may also list with a quality of zero (RFC 9110 §12.5.3). */
const accepts = (header: string, coding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

const plain = (status: number, text: string, headers: Readonly<Record<string, string>>): Response =>
  new Response(text, { status, headers: { ...headers, 'cache-control': 'no-store', 'content-type': 'text/plain' } })
