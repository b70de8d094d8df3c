/** What each page costs its visitors, with all features, all providers, a captcha and any brand, in every language: limits of the build. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { brandStyle } from '../src/core/brand.ts'
import { enabledFeatures } from '../src/core/feature.ts'
import { emptyPage, type HostedModule, type PageRequest } from '../src/core/hosted.ts'
import { readPublicSettings } from '../src/core/public-settings.ts'
import { mostEmbedded } from '../src/features/dashboard/brand-files.ts'
import { featureList } from '../src/features/index.ts'
import { providers } from '../src/features/social-sign-in/providers/index.ts'
import { languages } from '../src/lib/locale.ts'
import { parseConfig } from '../src/project/config/parse-config.ts'

/**
 * The icon of the tab does not count as a request: browsers load it after the page, and once for all pages. Neither does what a captcha
 * loads from its provider.
 */
const limits = { htmlKiB: 10, scriptKiB: 40, scripts: 2, requests: 6 }
/** Letters of these languages have two bytes. */
const cyrillic = { locales: ['ru', 'uk'], htmlKiB: 10.5 }
/** Of these pages, which name all languages: the Ukrainian ones are the largest. */
const measuredLocales = ['en', 'de', 'uk']
/** Of a page of the application that is opened first, with all that its navigation can show. */
const applicationLimits = { scriptKiB: 220, scripts: 10 }

const keys = { clientId: 'an-id', clientSecret: 'a-secret', clientKey: 'a-key' }
const everyPage = {
  secret: '0123456789 abcdefghijklmnopqrstuvwxyz',
  database: { url: 'sqlite::memory:' },
  environment: 'development',
  emailAndPassword: { enabled: true },
  mail: { catch: true },
  sms: { catch: true },
  username: { enabled: true },
  phoneNumber: { enabled: true },
  twoFactor: { enabled: true, otpOptions: { channels: ['sms', 'email'] } },
  passkey: { enabled: true, signUp: true },
  magicLink: { enabled: true },
  emailOTP: { enabled: true },
  organization: { enabled: true },
  user: { deleteUser: { enabled: true }, changeEmail: { enabled: true } },
  socialProviders: Object.fromEntries(Object.keys(providers).map((id) => [id, keys])),
  captcha: { provider: 'cloudflare-turnstile', secretKey: 'x', siteKey: 'y', endpoints: ['/'] },
  dashboard: {
    locales: [...languages, 'de-informal'],
    branding: {
      accent: '#7A1FA2',
      font: 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
      cover: 'docs/images/sign-in.png',
      radius: 'round',
      privacyURL: 'https://example.com/privacy',
      termsURL: 'https://example.com/terms',
      helpURL: 'https://example.com/help',
      supportEmail: 'support@example.com',
      footerLinks: Array.from({ length: 6 }, (_, at) => ({ label: `Link ${at}`, url: `https://example.com/${at}` })),
    },
  },
}

type Images = Readonly<Record<'logo' | 'logoDark' | 'favicon', string>>

/** A PNG file that does not compress. */
function writePNG(path: string, bytes: number): string {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000200000002008060000', 'hex')
  const blocks = Array.from({ length: bytes / 32 }, (_, at) =>
    createHash('sha256')
      .update(`${path.slice(-9)}${at}`)
      .digest(),
  )
  writeFileSync(path, Buffer.concat([head, ...blocks]).subarray(0, bytes))
  return path
}

/** The images that make pages largest, and those that make most requests. */
function dearestImages(folder: string): readonly Images[] {
  const images = (name: string, more: number): Images => {
    const image = (option: keyof Images) => writePNG(join(folder, `${name}-${option}.png`), mostEmbedded[option] + more)
    return { logo: image('logo'), logoDark: image('logoDark'), favicon: image('favicon') }
  }
  return [images('embedded', 0), images('served', 1)]
}

/** As the page of a second factor reads it. */
const challenge = {
  methods: [
    { type: 'totp' },
    { type: 'otp', channel: 'sms', to: '•••• 67' },
    { type: 'otp', channel: 'email', to: 's…@example.com' },
    { type: 'backup-code', left: 10 },
  ],
  expiresIn: 600,
  trustDevice: true,
}

/** The page as it is opened, and after a form of it has failed. */
const states: readonly Partial<PageRequest>[] = [
  {},
  {
    parameters: { callbackURL: 'https://app.example.com/after' },
    lastMethod: 'passkey',
    form: { call: 'POST /sign-in/email', values: { email: 'someone@example.com' } },
    kept: { token: 'x'.repeat(32), email: 'someone@example.com', phoneNumber: '+491701234567' },
    failure: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests', requestId: 'x'.repeat(20), retryAfter: 60 },
  },
]

/** The files that a browser requests for a page. Of logos, it loads that of the theme. */
function requestsOf(html: string): { readonly scripts: readonly string[]; readonly count: number } {
  const page = html.replace(/<link rel="icon"[^>]*>/, '')
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"#]+)|url\("\/(assets\/[^"]+)/g)].map(([, file, inStyle]) =>
    String(file ?? inStyle),
  )
  const files = new Set(named)
  return { scripts: [...files].filter((file) => file.endsWith('.js')), count: 1 + files.size }
}

interface Measured {
  readonly page: string
  readonly locale: string
  readonly htmlKiB: number
  readonly scriptKiB: number
  readonly scripts: number
  readonly requests: number
}

const kib = (bytes: number): number => bytes / 1024

/** All pages in all their states, with these images. */
async function measurePages(output: string, images: Images, page: 'all' | 'identifier-first'): Promise<readonly Measured[]> {
  const branding = { ...everyPage.dashboard.branding, ...images }
  const signIn = { page, rememberAccount: true }
  const parsed = parseConfig(featureList, { ...everyPage, signIn, dashboard: { ...everyPage.dashboard, branding } })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const settings = readPublicSettings({ features: enabledFeatures(featureList, parsed.config), config: parsed.config })
  const { createHostedPages }: HostedModule = await import(`${process.cwd()}/${output}/render.js`)
  const site = {
    settings,
    base: '/',
    api: '/api/auth',
    origin: 'https://accounts.example.com',
    style: brandStyle(settings.branding),
    texts: {},
  }
  const pages = await createHostedPages(site)
  return pages.paths.flatMap((path) =>
    measuredLocales.flatMap((locale) =>
      states.map((state): Measured => {
        const data = path === '/two-factor' ? challenge : null
        const html = pages.render({ ...emptyPage, path, locale, data, ...state })
        const { scripts, count } = requestsOf(html)
        const scriptBytes = scripts.reduce((sum, file) => sum + statSync(`${output}/public/${file}.br`).size, 0)
        return {
          page: `${path} (${locale}, ${page}${state.failure ? ', failed' : ''})`,
          locale,
          htmlKiB: kib(brotliCompressSync(html).length),
          scriptKiB: kib(scriptBytes),
          scripts: scripts.length,
          requests: count,
        }
      }),
    ),
  )
}

/**
 * @param output the folder with `render.js` and `public`
 * @returns a line about the dearest pages
 * @throws Error with the pages that exceed a limit
 */
export async function checkPageBudgets(output: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-budgets-'))
  const kinds = ['all', 'identifier-first'] as const
  const cases = dearestImages(folder).flatMap((images) => kinds.map((kind) => measurePages(output, images, kind)))
  const measured = (await Promise.all(cases)).flat()
  rmSync(folder, { recursive: true })
  const names = ['htmlKiB', 'scriptKiB', 'scripts', 'requests'] as const
  const limitsOf = ({ locale }: Measured) =>
    cyrillic.locales.includes(locale) ? { ...limits, htmlKiB: cyrillic.htmlKiB } : limits
  const exceeded = measured.filter((one) => names.some((name) => one[name] > limitsOf(one)[name]))
  if (exceeded.length > 0) throw new Error(`Hosted pages exceed ${JSON.stringify(limits)}:\n${JSON.stringify(exceeded, null, 1)}`)
  const most = (name: (typeof names)[number]) => Math.max(...measured.map((one) => one[name]))
  const count = new Set(measured.map(({ page }) => page.split(' ')[0])).size
  return `${count} hosted pages: at most ${most('htmlKiB').toFixed(1)} of ${limits.htmlKiB} KiB of HTML, ${most('scriptKiB').toFixed(1)} of ${limits.scriptKiB} KiB of script in ${most('scripts')} of ${limits.scripts} files, ${most('requests')} of ${limits.requests} requests`
}

/** A file of the application. */
export interface Chunk {
  readonly file: string
  readonly imports: readonly string[]
  /** Each module in it, with those that it loads on demand. */
  readonly modules: Readonly<Record<string, readonly string[]>>
}

const forDevelopers = /^src\/(stories|features\/(development|mailbox))\//

/** @returns the files that a page loads which shows these modules, with all texts in a language */
function filesOf(chunks: readonly Chunk[], shown: readonly string[], locale: string): ReadonlySet<string> {
  const withModule = (module: string) => chunks.find(({ modules }) => module in modules)?.file
  const files = new Set(shown.flatMap((module) => withModule(module) ?? []))
  for (const file of files) {
    const chunk = chunks.find((one) => one.file === file)
    const isText = (module: string) => new RegExp(`[/-]${locale}\\.ts$`).test(module) && !forDevelopers.test(module)
    const texts = Object.values(chunk?.modules ?? {}).flatMap((loaded) => loaded.filter(isText))
    for (const next of [...(chunk?.imports ?? []), ...texts.flatMap((module) => withModule(module) ?? [])]) files.add(next)
  }
  return files
}

/**
 * @param output the folder with `public`
 * @returns a line about the dearest page
 * @throws Error with the pages that exceed a limit
 */
export function checkApplicationBudgets(output: string, chunks: readonly Chunk[]): string {
  const loaded = Object.assign({}, ...chunks.map(({ modules }) => modules)) as Chunk['modules']
  const onDemand = (pattern: RegExp) =>
    Object.keys(loaded).flatMap((module) => (pattern.test(module) ? (loaded[module] ?? []) : []))
  const parts = onDemand(/^src\/features\/[\w-]+\/index\.ts$/).filter(
    (module) => module.endsWith('.tsx') && !forDevelopers.test(module),
  )
  const area = parts.filter((module) => /organization-(frame|navigation|switcher)\.tsx$/.test(module))
  const frames = onDemand(/^src\/routes\/router\.tsx$/)
  const measured = parts.flatMap((module) =>
    languages.map((locale) => {
      const files = filesOf(chunks, ['src/main.tsx', ...frames, ...area, module], locale)
      const bytes = [...files].reduce((sum, file) => sum + statSync(`${output}/public/${file}.br`).size, 0)
      // The index of a further language names the files of all pages, so that more are counted than a page loads.
      const hasOwnFiles = locale === 'en' || locale === 'de'
      return { page: `${module} (${locale})`, scriptKiB: kib(bytes), scripts: files.size, hasOwnFiles }
    }),
  )
  const exceeded = measured.filter(
    (one) => one.scriptKiB > applicationLimits.scriptKiB || (one.hasOwnFiles && one.scripts > applicationLimits.scripts),
  )
  if (exceeded.length > 0)
    throw new Error(`Pages of the application exceed ${JSON.stringify(applicationLimits)}:\n${JSON.stringify(exceeded, null, 1)}`)
  const most = (name: 'scriptKiB' | 'scripts') =>
    Math.max(...measured.filter(({ hasOwnFiles }) => hasOwnFiles).map((one) => one[name]))
  return `${parts.length} parts of the application: at most ${most('scriptKiB').toFixed(1)} of ${applicationLimits.scriptKiB} KiB of script, in ${most('scripts')} of ${applicationLimits.scripts} files`
}
