/** Values that exports write in many forms: times, and names of providers. */
import { instantOf } from '../../../lib/zone-clock.ts'
import type { Note } from './source-user.ts'

const withoutZone = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(\.\d+)?$/
const withZone = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)$/i

/**
 * Seconds or milliseconds since 1970, as numbers or text; ISO 8601; times of databases.
 * @param zone of a time without one
 * @param isLater of an hour that a clock shows twice: the later one; for the end of something
 * @returns ISO 8601 in UTC; null when it cannot be read
 */
export function readTime(value: unknown, zone: string, isLater = false): string | null {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,16}(?:\.\d+)?$/.test(value))) {
    const number = Number(value)
    return iso(number < 1e11 ? number * 1000 : number)
  }
  if (typeof value !== 'string' || value.length > 64) return null
  const text = value.trim()
  const [, day, clock, fraction = '', given] = withZone.exec(text) ?? []
  if (day && clock && given) return iso(Date.parse(`${day}T${clock}${fraction.slice(0, 4)}${offsetText(given)}`))
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return iso(Date.parse(text))
  const [, date, time, part = ''] = withoutZone.exec(text) ?? []
  if (!date || !time) return null
  const local = Date.parse(`${date}T${time}${part.slice(0, 4)}Z`)
  // `0000-00-00` is not a time, and no zone has an offset for it.
  if (Number.isNaN(local)) return null
  return iso(zone === 'UTC' ? local : instantOf(local, zone, isLater ? 'later' : 'earlier'))
}

const offsetText = (given: string): string => {
  if (!/^[+-]/.test(given)) return 'Z'
  const digits = given.slice(1).replace(':', '').padEnd(4, '0')
  return `${given.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`
}

function iso(milliseconds: number): string | null {
  const date = new Date(Math.round(milliseconds))
  const year = date.getUTCFullYear()
  return year >= 1000 && year <= 9999 ? date.toISOString() : null
}

/** @returns the time, or null with a note when the value is one that cannot be read, such as `0000-00-00 00:00:00` */
export function timeOf(value: unknown, field: string, zone: string, notes: Note[]): string | null {
  if (value === null || value === undefined || value === '') return null
  const time = readTime(value, zone)
  if (time === null) notes.push({ reason: 'no-time', field })
  return time
}

const providers: Readonly<Record<string, string>> = {
  'google-oauth2': 'google',
  'google.com': 'google',
  windowslive: 'microsoft',
  'microsoft.com': 'microsoft',
  waad: 'microsoft',
  azure: 'microsoft',
  azuread: 'microsoft',
  'github.com': 'github',
  'facebook.com': 'facebook',
  'twitter.com': 'twitter',
  x: 'twitter',
  'apple.com': 'apple',
  signinwithapple: 'apple',
  linkedin_oidc: 'linkedin',
  slack_oidc: 'slack',
}
const known = new Set([
  ...Object.values(providers),
  ...[
    'atlassian',
    'discord',
    'dropbox',
    'gitlab',
    'huggingface',
    'kick',
    'notion',
    'reddit',
    'roblox',
    'spotify',
    'tiktok',
    'twitch',
    'vk',
    'zoom',
  ],
])

/** The name of a provider here; an unknown one keeps its name, and is noted. Apple is noted for its team. */
export function providerOf(given: string, field: string, notes: Note[]): string {
  const name = given.toLowerCase().replace(/^oauth_/, '')
  const provider = providers[name] ?? name
  if (provider === 'apple') notes.push({ reason: 'apple-team', field })
  if (known.has(provider)) return provider
  notes.push({ reason: 'provider', field, detail: given.slice(0, 64) })
  return given.slice(0, 64)
}
