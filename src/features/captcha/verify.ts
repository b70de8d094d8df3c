/** What each provider is asked, and what its answer means (contract 06 §4). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'

const providers = {
  'cloudflare-turnstile': { url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify', encoding: 'json' },
  'google-recaptcha': { url: 'https://www.google.com/recaptcha/api/siteverify', encoding: 'form' },
  hcaptcha: { url: 'https://api.hcaptcha.com/siteverify', encoding: 'form' },
} as const
type Provider = keyof typeof providers

const verdict = z.object({ success: z.boolean(), score: z.number().optional() })

/**
 * @param response what the browser got from the captcha
 * @param remoteAddress whom the caller says it was shown to
 * @returns whether it was solved
 * @throws Error when the provider cannot be asked, or gives no verdict
 */
export async function isSolved(
  app: App,
  provider: Provider,
  response: string,
  remoteAddress: string | undefined,
): Promise<boolean> {
  const { secretKey = '', siteVerifyURLOverride, minScore, siteKey } = app.config.captcha
  const { url, encoding } = providers[provider]
  const members = {
    secret: secretKey,
    response,
    ...(provider === 'hcaptcha' && siteKey && { sitekey: siteKey }),
    ...(remoteAddress && { remoteip: remoteAddress }),
  }
  const isForm = encoding === 'form'
  const answer = await app.fetch(siteVerifyURLOverride ?? url, {
    method: 'POST',
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? new URLSearchParams(members).toString() : JSON.stringify(members),
  })
  if (!answer.ok) throw new Error(`The captcha's provider answers ${answer.status}`)
  const { success, score } = verdict.parse(await answer.json())
  return success && !(provider === 'google-recaptcha' && score !== undefined && score < minScore)
}
