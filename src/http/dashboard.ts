/** The pages: their built files, the shell of the application, and what renders the hosted pages. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getMimeType } from 'hono/utils/mime'
import type { App } from '../core/app.ts'
import { brandStyle } from '../core/brand.ts'
import { usesSecureCookies } from '../core/cookies.ts'
import type { PageSources } from '../core/feature.ts'
import type { HostedModule, Site } from '../core/hosted.ts'
import type { Dashboard, DashboardFile } from '../core/ports.ts'
import { readPublicSettings } from '../core/public-settings.ts'
import { html, type Page } from '../core/reply.ts'
import { apiPath, apiURL } from '../core/route.ts'
import type { PublicSettings } from '../features/index.ts'
import { deviceHints } from '../lib/device.ts'
import { escapeHTML } from '../lib/markdown.ts'
import { compress } from './encoded.ts'

/** Where the build puts the files, in the repository and in the package. */
export const dashboardFolder = (): string => fileURLToPath(new URL('../../dashboard/dist', import.meta.url))

/** A page of the application. */
interface DeclaredPage {
  readonly path: string
  readonly access: string
  /** Exists in development only. */
  readonly isForDevelopers?: true
}

/**
 * Reads the built files, once: a request cannot name any other.
 * @param folder with `index.html`, the shell of the application; `pages.json`, the pages of it; `render.js`, which renders the hosted
 * pages; and `public`, whose files everyone may read, with copies `NAME.br` and `NAME.gz` of those that compress well
 * @returns null when the folder has no `index.html`
 */
export async function openDashboard(app: App, folder: string): Promise<Dashboard | null> {
  if (!existsSync(join(folder, 'index.html'))) return null
  const renderer: HostedModule = await import(pathToFileURL(join(folder, 'render.js')).href)
  const settings = readPublicSettings(app)
  const style = brandStyle(settings.branding)
  const configured = readConfiguredFiles(app)
  const site = {
    ...{ settings, base: basePath(app), api: apiPath(app.config), origin: new URL(apiURL(app.config)).origin, style },
    texts: ownTexts(settings, configured),
  }
  const headers = pageHeaders(app, style)
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const fill = createShell(app, template, { headers, style, settings })
  const [plainPage, sessionPage] = [fill(false), fill(true)]
  const declared: readonly DeclaredPage[] = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8'))
  const pages = declared
    .filter(({ isForDevelopers }) => !isForDevelopers || settings.isDevelopment)
    .map(({ path, access }) => [path, access === 'anyone' ? plainPage : sessionPage] as const)
  return {
    pages: new Map(pages),
    hosted: await renderer.createHostedPages(site),
    withSettings: (given) => renderer.createHostedPages({ ...site, settings: given, style: brandStyle(given.branding) }),
    headers,
    files: new Map([...readFiles(join(folder, 'public')), ...configured]),
  }
}

function readFiles(folder: string): ReadonlyMap<string, DashboardFile> {
  const names = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const known = new Set(names)
  const read = (name: string) => (known.has(name) ? new Uint8Array(readFileSync(join(folder, name))) : null)
  return new Map(
    names
      .filter((name) => !/\.(br|gz)$/.test(name))
      .map((name) => [
        name,
        {
          contentType: getMimeType(name) ?? 'application/octet-stream',
          bytes: new Uint8Array(readFileSync(join(folder, name))),
          br: read(`${name}.br`),
          gzip: read(`${name}.gz`),
        },
      ]),
  )
}

/** An SVG file that is opened as a document is one of our origin: its scripts must not run. */
const inert = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }

function readConfiguredFiles({ features, config }: App): ReadonlyMap<string, DashboardFile> {
  const files = features.flatMap(({ pageFiles }) => [...(pageFiles?.(config) ?? [])])
  return new Map(
    files.map(([name, { bytes, contentType }]) => {
      const file = /^image\/svg|json$/.test(contentType)
        ? compress(bytes, contentType)
        : { contentType, bytes, br: null, gzip: null }
      return [name, { ...file, headers: inert }]
    }),
  )
}

/** The same texts that the application loads. */
const ownTexts = ({ texts }: PublicSettings, files: ReadonlyMap<string, DashboardFile>): Site['texts'] =>
  Object.fromEntries(
    Object.entries(texts).map(([locale, name]) => [locale, JSON.parse(new TextDecoder().decode(files.get(name)?.bytes))]),
  )

/** Of every response with a page or its files. */
export const everyHeader = (app: App): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...(usesSecureCookies(app.config) && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})

const pageHeaders = (app: App, style: string): Record<string, string> => ({
  ...everyHeader(app),
  'accept-ch': deviceHints,
  // A page must never be older than the files it names.
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy(app, style),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
})

/** @returns a function that fills in the placeholders of `index.html` */
function createShell(
  app: App,
  template: string,
  { headers, style, settings }: Pick<Site, 'style' | 'settings'> & { readonly headers: Record<string, string> },
): (usesSession: boolean) => Page {
  const { favicon } = settings.branding
  const api = escapeHTML(apiPath(app.config))
  const preload = `<link rel="preload" as="fetch" href="${api}/get-session?disableCustomSession=true" crossorigin="use-credentials">`
  const icon = favicon === null ? null : `<link rel="icon" href="${escapeHTML(favicon)}">`
  const shell = icon === null ? template : template.replace(/<link rel="icon"[^>]*>/, () => icon)
  return (usesSession) => {
    const values: Readonly<Record<string, string>> = {
      BASE: escapeHTML(basePath(app)),
      API: api,
      TITLE: escapeHTML(app.config.appName),
      SESSION: usesSession ? preload : '',
      STYLE: style === '' ? '' : `<style>${style}</style>`,
      SETTINGS: escapeHTML(JSON.stringify(settings)),
    }
    // In one step, so that no value is searched for placeholders.
    return html(
      shell.replaceAll(/__(BASE|API|TITLE|SESSION|STYLE|SETTINGS)__/g, (_, name: string) => values[name] ?? ''),
      headers,
    )
  }
}

/** With a slash at both ends. */
export const basePath = ({ config }: App): string => (config.dashboard.path === '/' ? '/' : `${config.dashboard.path}/`)

/** Strict (ASVS 3.4.3): only the files of the pages, and what features load from elsewhere. */
function contentSecurityPolicy({ features, config }: App, style: string): string {
  const sources = features.map(({ pageSources }) => pageSources?.(config) ?? {})
  const directive = (name: keyof PageSources, own: readonly string[]) => {
    const all = [...own, ...sources.flatMap((each) => each[name] ?? [])]
    return all.length === 0 ? [] : [`${name} ${[...new Set(all)].join(' ')}`]
  }
  return [
    "default-src 'none'",
    ...directive('script-src', ["'self'"]),
    ...directive('style-src', [
      "'self'",
      ...(style === '' ? [] : [`'sha256-${createHash('sha256').update(style).digest('base64')}'`]),
    ]),
    ...directive('img-src', ["'self'", 'data:']),
    ...directive('connect-src', ["'self'"]),
    ...directive('frame-src', []),
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
