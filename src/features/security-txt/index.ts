/** How to report a vulnerability: `/.well-known/security.txt` (RFC 9116). */
import { z } from 'zod'
import { type ConfigIssue, section } from '../../core/config.ts'
import { asset, type Page } from '../../core/reply.ts'
import { apiURL } from '../../core/route.ts'
import { dayMs } from '../../lib/iso-time.ts'
import type { Config } from '../index.ts'

const webURL = z.url({ protocol: /^https$/ })
const contact = z.url({ protocol: /^(https|mailto|tel)$/ })

export const config = {
  securityTxt: section('`/.well-known/security.txt`: how to report a vulnerability (RFC 9116)', {
    contact: z
      .array(contact)
      .min(1)
      .optional()
      .describe('Where to report, the preferred one first: `mailto:security@example.com`, `https:` or `tel:`; required'),
    expires: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When the document is out of date, within a year, such as `2027-06-01T00:00:00Z`; required'),
    encryption: z
      .array(z.url({ protocol: /^(https|dns|openpgp4fpr)$/ }))
      .default([])
      .describe('Where the keys for encrypted reports are'),
    acknowledgments: z.array(webURL).default([]).describe('Pages that thank those who reported'),
    preferredLanguages: z
      .array(z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z\d]{1,8})*$/, 'Expected a language tag such as en'))
      .default([])
      .describe('Languages of reports'),
    canonical: z.array(webURL).optional().describe('Where this document is served; default: below the origin of `baseURL`'),
    policy: z.array(webURL).default([]).describe('Pages about what may be tested and reported'),
    hiring: z.array(webURL).default([]).describe('Pages about open positions'),
  }),
}

export const enabled = (config: Config): boolean => config.securityTxt.enabled

export function checkConfig({ securityTxt }: Config): ConfigIssue[] {
  const missing = (name: 'contact' | 'expires', what: string): ConfigIssue[] =>
    securityTxt[name] === undefined
      ? [
          {
            id: `security-txt-${name}`,
            path: `securityTxt.${name}`,
            message: `security.txt has no ${what}, which RFC 9116 requires.`,
          },
        ]
      : []
  return [...missing('contact', 'contact'), ...missing('expires', 'time at which it expires')]
}

/** @returns days until the document expires, rounded down: negative once it has; null when there is none */
export function daysLeft({ securityTxt: { enabled: isEnabled, expires } }: Config, now: Date): number | null {
  return isEnabled && expires !== undefined ? Math.floor((new Date(expires).getTime() - now.getTime()) / dayMs) : null
}

export function wellKnown(config: Config): Readonly<Record<string, Page>> {
  return { 'security.txt': asset(new TextEncoder().encode(documentOf(config)), 'text/plain; charset=utf-8') }
}

function documentOf(config: Config): string {
  const { expires = '', preferredLanguages: languages, ...lists } = config.securityTxt
  const { origin, protocol } = new URL(apiURL(config))
  // Links to the document must begin with https: (RFC 9116 §2.5.2).
  const own = protocol === 'https:' ? [`${origin}/.well-known/security.txt`] : []
  const fields: readonly (readonly [name: string, values: readonly string[]])[] = [
    ['Contact', lists.contact ?? []],
    ['Expires', [expires]],
    ['Encryption', lists.encryption],
    ['Acknowledgments', lists.acknowledgments],
    ['Preferred-Languages', languages.length > 0 ? [languages.join(', ')] : []],
    ['Canonical', lists.canonical ?? own],
    ['Policy', lists.policy],
    ['Hiring', lists.hiring],
  ]
  return fields.flatMap(([name, values]) => values.map((value) => `${name}: ${value}\n`)).join('')
}
