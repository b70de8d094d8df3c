/** Rules about trusted origins: each must match some pages, and only pages of known owners. */
import type { ConfigIssue } from '../../core/config.ts'
import type { Config } from '../../features/index.ts'
import { trustsStrangers } from '../../lib/open-origins.ts'
import { originProblem } from '../../lib/url.ts'

/** Issues of origins that no request can match. */
export function checkOrigins({ trustedOrigins }: Config): ConfigIssue[] {
  if (typeof trustedOrigins === 'function') return []
  return trustedOrigins.flatMap((origin, position) => {
    const problem = trustsStrangers(origin) ? null : originProblem(origin)
    if (problem === null) return []
    const message = `No page has the origin "${origin}". ${problem}`
    const hint = "Write an origin such as 'https://app.example.com' or 'http://localhost:5173', without a path."
    return [{ id: 'trusted-origin-form', path: `trustedOrigins.${position}`, message, hint }]
  })
}
