/**
 * Names under which anyone registers a domain of their own (https://publicsuffix.org). Only those that many use: whatever else is below
 * a country, and hosting services at which strangers choose a name. Browsers have the whole list, and reject cookies for it.
 */

import { isIP } from 'node:net'

/** Countries whose registries sell names at the third level. */
const countries = [
  ...['uk', 'jp', 'kr', 'nz', 'za', 'il', 'th', 'id', 'in', 'ke', 'cr', 'au', 'br', 'cn', 'tw', 'hk', 'sg', 'my', 'mx', 'tr'],
  ...['ar', 'co', 'pe', 've', 'ec', 'uy', 'py', 'bo', 'do', 'gt', 'pa', 'sv', 'ni', 'hn', 'cu', 'eg', 'sa', 'ae', 'qa', 'kw'],
  ...['om', 'bh', 'jo', 'lb', 'pk', 'bd', 'lk', 'np', 'vn', 'ph', 'kh', 'mm', 'ng', 'gh', 'tz', 'ug', 'zw', 'zm', 'mz', 'ao'],
  ...['ua', 'pl', 'ru', 'cy', 'mt', 'gr', 'pt', 'hu', 'ro', 'rs', 'ge', 'am', 'az', 'kz', 'uz', 'fj', 'pg', 'ma', 'tn', 'ly'],
]
const kinds = 'co|com|net|org|gov|edu|ac|or|ne|go|gob|mil|me|ltd|plc|sch|nom|web|id|firm|gen|ind|info|biz'
const ofCountries = new RegExp(`^(?:${kinds})\\.(?:${countries.join('|')})$`)

/** Of hosting services. */
const hosted = new Set([
  ...['github.io', 'gitlab.io', 'vercel.app', 'now.sh', 'netlify.app', 'pages.dev', 'workers.dev', 'web.app', 'firebaseapp.com'],
  ...[
    'herokuapp.com',
    'onrender.com',
    'fly.dev',
    'railway.app',
    'up.railway.app',
    'deno.dev',
    'surge.sh',
    'glitch.me',
    'repl.co',
  ],
  ...['replit.app', 'replit.dev', 'azurewebsites.net', 'azurestaticapps.net', 'cloudapp.net', 'cloudfront.net', 'run.app'],
  ...['appspot.com', 'amplifyapp.com', 'elasticbeanstalk.com', 'ondigitalocean.app', 'translate.goog', 'blogspot.com'],
  ...['ngrok.io', 'ngrok.app', 'ngrok-free.app', 'ngrok.dev', 'trycloudflare.com', 'loca.lt', 'serveo.net', 'webflow.io'],
  ...['wixsite.com', 'myshopify.com', 'wordpress.com', 'bubbleapps.io', 'streamlit.app', 'hf.space', 'lovable.app', 'bolt.host'],
  ...['stackblitz.io', 'webcontainer.io', 'csb.app', 'codesandbox.io', 'gitpod.io', 'github.dev', 'app.github.dev'],
  ...['duckdns.org', 'dyndns.org', 'no-ip.org', 'ddns.net', 'eu.org', 'us.com', 'uk.com', 'de.com'],
])

/** Whether it is the domain of a hosting service, below which strangers choose a name. */
export const isHostingSuffix = (domain: string): boolean => hosted.has(domain.toLowerCase())

/** @param domain without a dot at its start */
export const isPublicSuffix = (domain: string): boolean =>
  !domain.includes('.') || ofCountries.test(domain.toLowerCase()) || isHostingSuffix(domain)

/** The domain that someone has registered, such as `acme.co.uk` for `login.acme.co.uk`. @returns null for an IP address or a single name */
export function registrableDomain(host: string): string | null {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return null
  const labels = host.toLowerCase().split('.')
  const domains = labels.map((_, position) => labels.slice(position).join('.'))
  return domains.findLast((domain) => !isPublicSuffix(domain)) ?? null
}
