/** The hosted pages: sign-in, account and development pages. Their files are served by `http`; here is what the API does for them. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { type ConfigIssue, group } from '../../core/config.ts'
import { ApiError, errors } from '../../core/errors.ts'
import { settings } from '../../core/feature.ts'
import { builtInLocales, localesIn } from '../../core/own-locales.ts'
import { anyone } from '../../core/permissions.ts'
import type { PageFile } from '../../core/ports.ts'
import { publicSettingsSchema, readPublicSettings } from '../../core/public-settings.ts'
import { asset, rawJson, redirect } from '../../core/reply.ts'
import type { CallContext } from '../../core/request.ts'
import { apiPath, apiURL, route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { languages } from '../../lib/locale.ts'
import { definedParameters } from '../../lib/objects.ts'
import type { Config } from '../index.ts'
import { readBrandFiles } from './brand-files.ts'
import { brandingConfig, brandingView, logoOrigins, readBranding } from './branding.ts'
import { readOwnTexts } from './own-texts.ts'

export { accentOf, accentOption, type Branding, imageURL, radiusOf, radiusOption, readBranding } from './branding.ts'
export { countMissing, readOwnTexts } from './own-texts.ts'
export { type TextEntry, textList } from './text-list.ts'

export const area = 'Hosted pages'

export const config = {
  dashboard: group('Hosted pages: sign-in, account and development', {
    enabled: z.boolean().default(true).describe('Serve the hosted pages; links in emails then end on them'),
    path: z
      .string()
      // No segment starts with a dot: `/..` would be another path, and what is below /.well-known belongs to the API.
      .regex(/^\/([\w-][\w\-.]*(\/[\w-][\w\-.]*)*)?$/, 'Expected a path such as / or /account, without a slash at the end')
      .default('/')
      .describe('Path where the hosted pages are mounted'),
    branding: brandingConfig,
    environment: z
      .string()
      .trim()
      .min(1)
      .max(32)
      .optional()
      .describe(
        'Name of this environment, such as `staging`: a bar at the top of account and administration pages shows it; not for `production`',
      ),
    locales: z
      .array(z.string().regex(/^[a-z]{2,3}(-informal)?$/, 'Expected the tag of a language, such as de'))
      .min(1)
      .max(50)
      .refine((locales) => new Set(locales).size === locales.length, 'Expected each language once')
      .default([...languages])
      .describe(
        `Languages of the hosted pages, emails and text messages; the first is the default. ${languages.join(', ')}; \`de-informal\`: German with "du"; others with a file in \`dashboard.texts\``,
      ),
    texts: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder with your own texts: one file for each language, such as `de.json`; relative paths start at the folder of the project',
      ),
  }),
}

const isBelow = (path: string, other: string): boolean => `${path}/`.startsWith(`${other}/`)

/** A language without texts. */
function checkLocales({ dashboard: { locales, texts } }: Config): ConfigIssue[] {
  const files = texts === undefined ? [] : localesIn(texts)
  const unknown = locales.find((locale) => !builtInLocales.includes(locale) && !files.includes(locale))
  if (unknown === undefined) return []
  const message = `There are no texts in "${unknown}".`
  const hint = `Use ${builtInLocales.join(', ')}, or add ${unknown}.json to the folder of dashboard.texts.`
  return [{ id: 'dashboard-locale', path: 'dashboard.locales', message, hint }]
}

export function checkConfig(config: Config): ConfigIssue[] {
  const ofTexts = [...checkLocales(config), ...readOwnTexts(config).issues]
  return [...ofTexts, ...checkPages(config)]
}

function checkPages(config: Config): ConfigIssue[] {
  if (!config.dashboard.enabled) return []
  const { path } = config.dashboard
  const taken = [apiPath(config), '/livez', '/readyz'].find((other) => isBelow(path, other))
  const { issues } = readBrandFiles(config)
  if (taken === undefined) return [...issues]
  const message = `${taken} is not a page: calls to it would never reach the hosted pages.`
  return [
    { id: 'dashboard-path', path: 'dashboard.path', message, hint: 'Use / or a path of its own, such as /account.' },
    ...issues,
  ]
}

/** @param page such as `/reset-password` @returns its path on our origin; null when the hosted pages are disabled */
export const hostedPath = ({ dashboard: { enabled, path } }: Config, page: string): string | null =>
  enabled ? `${path === '/' ? '' : path}${page}` : null

/** The same as a URL. */
export function hostedURL(config: Config, page: string): string | null {
  const path = hostedPath(config, page)
  return path === null ? null : `${new URL(apiURL(config)).origin}${path}`
}

/**
 * In a browser, a link in an email leads to a hosted page, which makes the change with a POST: a request that only opens the link
 * changes nothing, such as that of a mail scanner (ASVS 3.5.3).
 * @returns the path of the page with these parameters; null for other clients, and when the hosted pages are disabled
 */
export function linkPage(
  { config, request }: CallContext,
  page: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string | null {
  const path = hostedPath(config, page)
  if (path === null || !request.header('accept')?.includes('text/html')) return null
  return `${path}?${new URLSearchParams(definedParameters(parameters))}`
}

/**
 * For calls of development pages. Pages on any port of this machine are trusted in development, and one of them, such as that of a
 * package with malicious code, must not get the administrator's password, or the reset link of any user.
 * @throws ApiError FORBIDDEN for a page of another origin; programs send none of these headers
 */
export function requireOwnPage({ config, request }: CallContext): void {
  const site = request.header('sec-fetch-site')
  // Older browsers send only an origin, for what a script of another origin could read.
  const own = [undefined, new URL(apiURL(config)).origin]
  const isOwn = site === undefined ? own.includes(request.header('origin')) : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new ApiError(errors.FORBIDDEN)
}

export const publicSettings = settings(
  {
    appName: z.string().meta({ examples: ['Acme'] }),
    isDevelopment: z.boolean(),
    environment: z
      .string()
      .nullable()
      .meta({ examples: ['staging'] }),
    branding: brandingView,
    locales: z.array(z.string()).meta({ examples: [['en', 'de']] }),
    /** Files with texts of the operator, by language. */
    texts: z.record(z.string(), z.string()).meta({ examples: [{}] }),
  },
  (config) => ({
    appName: config.appName,
    isDevelopment: config.environment === 'development',
    environment: config.dashboard.environment ?? null,
    branding: readBranding(config),
    locales: [...config.dashboard.locales],
    texts: Object.fromEntries([...readOwnTexts(config).files].map(([locale, { name }]) => [locale, name])),
  }),
)

export const pageSources = (config: Config) => ({ 'img-src': logoOrigins(config) })

export function pageFiles(config: Config): ReadonlyMap<string, PageFile> {
  const files = [...readBrandFiles(config).files.values(), ...readOwnTexts(config).files.values()]
  return new Map(files.flatMap((file) => (file.name === null ? [] : [[file.name, file] as const])))
}

const settingsOf = memo((app: App) => readPublicSettings(app))
const administrator = z.object({ email: z.string(), password: z.string() })

export const routes = {
  'GET /public-settings': route({
    summary: 'Get the public settings',
    description:
      'Returns what a page must know before sign-in: the name and branding, the enabled features, the password rules and the fields of the sign-up form. The response is the same for everyone, and may be cached for a minute.',
    access: anyone(),
    returns: (_config, _tables, features) => publicSettingsSchema(features),
    handler: (ctx) => {
      ctx.headers['cache-control'] = 'public, max-age=60'
      return rawJson(settingsOf(ctx))
    },
  }),
  'GET /continue': route({
    summary: 'Continue in the application',
    description:
      'Redirects to `callbackURL`, so that a hosted page can return to the application. Fails when the URL is not on a trusted origin.',
    access: anyone(),
    query: z.object({ callbackURL: callbackURL.min(1) }),
    callback: 'query',
    returns: z.never(),
    handler: (ctx) => redirect(ctx.query.callbackURL),
  }),
  'GET /development': route({
    summary: 'Get the development administrator',
    access: anyone(),
    returns: z.object({ administrator: administrator.nullable() }),
    undocumented: true,
    exists: ({ environment, dashboard }) => environment === 'development' && dashboard.enabled,
    handler: (ctx) => {
      requireOwnPage(ctx)
      return { administrator: ctx.development?.administrator ?? null }
    },
  }),
  'GET /development/docs/:page': route({
    summary: 'Read a page of the documentation',
    access: anyone(),
    params: z.object({ page: z.string().regex(/^[a-z-]{1,40}\.md$/) }),
    returns: z.never(),
    undocumented: true,
    exists: ({ environment, dashboard }) => environment === 'development' && dashboard.enabled,
    handler: async ({ params }) => {
      const file = new URL(`../../../docs/${params.page}`, import.meta.url)
      if (!existsSync(file)) throw new ApiError(errors.NOT_FOUND)
      return asset(new Uint8Array(await readFile(file)), 'text/plain; charset=utf-8')
    },
  }),
}
