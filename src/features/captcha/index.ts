/** Requires a solved captcha for the configured paths. The provider verifies its response before the request is processed. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { type ConfigIssue, secret, section } from '../../core/config.ts'
import { ApiError, defineErrors, errors as kernelErrors } from '../../core/errors.ts'
import { type Feature, type PageSources, settings } from '../../core/feature.ts'
import type { IncomingRequest } from '../../core/request.ts'
import { createFairQueue } from '../../lib/async.ts'
import { networkOf } from '../../lib/ip.ts'
import type { Config } from '../index.ts'

/** The requests that need no account. The list of the contract lacks the newer name of the last one. */
const defaultEndpoints = ['/sign-up/email', '/sign-in/email', '/forget-password', '/request-password-reset']

export const config = {
  captcha: section('Captcha for sign-up, sign-in and password reset requests', {
    provider: z.enum(['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha']).optional().describe('Captcha provider; required'),
    secretKey: secret(z.string().min(1).optional()).describe('Secret key from the provider; required'),
    endpoints: z
      .array(z.string().startsWith('/'))
      .min(1)
      .default(defaultEndpoints)
      .describe('Paths to protect: every POST to a call whose path contains one of them'),
    siteVerifyURLOverride: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('URL that verifies captcha responses; default: the provider’s'),
    minScore: z.number().min(0).max(1).default(0.5).describe('Minimum score to pass, for reCAPTCHA v3'),
    recaptchaVersion: z
      .enum(['v2', 'v3'])
      .default('v2')
      .describe('Kind of the reCAPTCHA site key, for the hosted forms: v2 shows a checkbox, v3 returns a score'),
    siteKey: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Public site key from the provider; required while the hosted pages are enabled. hCaptcha rejects captcha responses for other site keys',
      ),
  }),
}

export const enabled = (config: Config) => config.captcha.enabled

export function checkConfig({ captcha, dashboard }: Config): ConfigIssue[] {
  const issues: ConfigIssue[] = []
  if (!captcha.provider) {
    const message = 'The captcha provider is missing.'
    issues.push({ id: 'captcha-provider', path: 'captcha.provider', message })
  }
  if (!captcha.secretKey) {
    const message = 'The secret key is missing. Without it the provider rejects every captcha response.'
    issues.push({ id: 'captcha-secret', path: 'captcha.secretKey', message })
  }
  if (!captcha.siteKey && dashboard.enabled) {
    const message = 'The site key is missing. Without it the hosted forms cannot show the captcha.'
    issues.push({ id: 'captcha-site-key', path: 'captcha.siteKey', message, hint: 'Set it, or `dashboard: { enabled: false }`.' })
  }
  return issues
}

export const publicSettings = settings(
  {
    captcha: z
      .object({ provider: z.string(), siteKey: z.string(), isScored: z.boolean(), endpoints: z.array(z.string()) })
      .nullable()
      .meta({
        examples: [
          { provider: 'hcaptcha', siteKey: '10000000-ffff-ffff-ffff-000000000001', isScored: false, endpoints: defaultEndpoints },
        ],
      }),
  },
  ({ captcha: { enabled, provider, siteKey, endpoints, recaptchaVersion } }) => {
    const isScored = provider === 'google-recaptcha' && recaptchaVersion === 'v3'
    return { captcha: enabled && provider && siteKey ? { provider, siteKey, isScored, endpoints: [...endpoints] } : null }
  },
)

export const pageSources = ({ captcha: { provider } }: Config): PageSources => (provider ? widgetSources[provider] : {})

/** What each provider's documentation says that its widget loads. */
const widgetSources: Readonly<Record<NonNullable<Config['captcha']['provider']>, PageSources>> = {
  'cloudflare-turnstile': {
    'script-src': ['https://challenges.cloudflare.com'],
    'frame-src': ['https://challenges.cloudflare.com'],
  },
  'google-recaptcha': {
    'script-src': ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    'frame-src': ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
    'connect-src': ['https://www.google.com/recaptcha/'],
  },
  hcaptcha: {
    'script-src': ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    'frame-src': ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    'style-src': ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    'connect-src': ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
}

export const errors = defineErrors({
  MISSING_CAPTCHA_RESPONSE: [400, 'Missing CAPTCHA response'],
  CAPTCHA_VERIFICATION_FAILED: [403, 'Captcha verification failed'],
  SOMETHING_WENT_WRONG: [500, 'Something went wrong'],
})

/** Whether the captcha protects a path below the base path, as sent or as declared. */
const isProtected = ({ captcha: { provider, endpoints } }: Config, path: string): boolean =>
  provider !== undefined && endpoints.some((endpoint) => path.includes(endpoint))

const requestHeaders = {
  'x-captcha-response': { description: 'What the captcha returned to the browser', required: true },
  'x-captcha-user-remote-ip': { description: 'The IP address that solved the captcha', required: false },
}

export const describe: NonNullable<Feature['describe']> = (config, routeKey) => {
  const [method, path = ''] = routeKey.split(' ')
  return method === 'POST' && isProtected(config, path) ? { requestHeaders, errors: Object.values(errors) } : null
}

/**
 * Of the verifications in each process (ASVS 15.2.2), by client network, so that one network cannot use up those of the others. At a
 * provider's usual third of a second, 32 in flight are a hundred a second, more than passwords can be hashed.
 */
const limits = { running: 32, runningPerGroup: 2, waiting: 256, waitingPerGroup: 16, waitMs: 2000 }
const unavailable = () => new ApiError(kernelErrors.SERVICE_UNAVAILABLE, { headers: { 'retry-after': '1' } })

const queueOf = memo((_: App) => createFairQueue(limits, unavailable))

/**
 * Rejects a protected request without a solved captcha.
 * @throws ApiError MISSING_CAPTCHA_RESPONSE, CAPTCHA_VERIFICATION_FAILED, SOMETHING_WENT_WRONG, SERVICE_UNAVAILABLE
 */
export async function screen(app: App, request: IncomingRequest): Promise<void> {
  const { provider } = app.config.captcha
  if (!provider || !isProtected(app.config, request.path)) return
  const response = request.header('x-captcha-response')
  if (!response) throw new ApiError(errors.MISSING_CAPTCHA_RESPONSE)
  const remoteAddress = request.header('x-captcha-user-remote-ip')
  const network = networkOf(request.networkAddress())
  try {
    const solved = await queueOf(app)(network, () => isSolved(app, provider, response, remoteAddress))
    if (!solved) throw new ApiError(errors.CAPTCHA_VERIFICATION_FAILED)
  } catch (error) {
    if (error instanceof ApiError) throw error
    app.log.error({ err: error, requestId: request.id, provider }, 'Cannot verify a captcha')
    throw new ApiError(errors.SOMETHING_WENT_WRONG, { cause: error })
  }
}

/** Contract 06 §4. */
const providers = {
  'cloudflare-turnstile': { url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify', encoding: 'json' },
  'google-recaptcha': { url: 'https://www.google.com/recaptcha/api/siteverify', encoding: 'form' },
  hcaptcha: { url: 'https://api.hcaptcha.com/siteverify', encoding: 'form' },
} as const

const verdict = z.object({ success: z.boolean(), score: z.number().optional() })

/**
 * @param response the token that the browser got from the captcha
 * @param remoteAddress the IP address that solved it, as claimed by the client
 * @throws Error when the provider cannot be reached, or returns no verdict
 */
async function isSolved(
  app: App,
  provider: keyof typeof providers,
  response: string,
  remoteAddress: string | undefined,
): Promise<boolean> {
  const { secretKey = '', siteVerifyURLOverride, minScore, siteKey } = app.config.captcha
  const { url, encoding } = providers[provider]
  const fields = {
    secret: secretKey,
    response,
    ...(provider === 'hcaptcha' && siteKey && { sitekey: siteKey }),
    ...(remoteAddress && { remoteip: remoteAddress }),
  }
  const isForm = encoding === 'form'
  const verified = await app.fetch(siteVerifyURLOverride ?? url, {
    method: 'POST',
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
  })
  if (!verified.ok) throw new Error(`The captcha provider returned status ${verified.status}`)
  const { success, score } = verdict.parse(await verified.json())
  return success && !(provider === 'google-recaptcha' && score !== undefined && score < minScore)
}
