import { z } from 'zod'
import { type ConfigFault, secret, section } from '../../core/config.ts'
import type { Config } from '../index.ts'

/** What people without an account can do; the contract's own list lacks the newer name of the last. */
const guarded = ['/sign-up/email', '/sign-in/email', '/forget-password', '/request-password-reset']

export const config = {
  captcha: section('Calls that need the answer to a captcha', {
    provider: z
      .enum(['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha'])
      .optional()
      .describe('Whose captcha it is; required'),
    secretKey: secret(z.string().min(1).optional()).describe('The secret that the provider gave; required'),
    endpoints: z.array(z.string().startsWith('/')).min(1).default(guarded).describe('Calls whose address contains one of these'),
    siteVerifyURLOverride: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Where answers are verified; default: at the provider'),
    minScore: z.number().min(0).max(1).default(0.5).describe('Least score that passes, for reCAPTCHA v3'),
    siteKey: z.string().optional().describe('The public key, for hCaptcha: an answer to another site’s captcha is refused'),
  }),
}

export function checkConfig({ captcha }: Config): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (!captcha.provider)
    faults.push({ id: 'captcha-provider', path: 'captcha.provider', message: 'Nobody is named who verifies the answers.' })
  if (!captcha.secretKey) {
    const message = 'Without the secret the provider verifies nothing, and every guarded call would fail.'
    faults.push({ id: 'captcha-secret', path: 'captcha.secretKey', message })
  }
  return faults
}
