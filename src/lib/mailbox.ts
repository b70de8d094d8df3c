/**
 * The mailbox behind an email address: providers deliver addresses with other dots, tags or domains to the same mailbox. Only what a
 * provider documents, or does in its own client, is here; all other addresses are mailboxes of their own.
 */

interface Rule {
  /** The domain under which all domains of the provider are compared; absent: each has its own users. */
  readonly domain?: string
  /** The character that starts a tag. */
  readonly tag: '+' | '-'
  /** Characters that the provider ignores. */
  readonly ignored?: RegExp
  /** `tag@user.domain` is delivered to `user@domain`. */
  readonly hasSubdomains?: true
}

const gmail: Rule = { domain: 'gmail.com', tag: '+', ignored: /\./g }
// A hyphen, and not only a dot, since Proton compares addresses without all three.
const proton: Rule = { domain: 'proton.me', tag: '+', ignored: /[._-]/g }
// Users of one of these domains own the same name at the others.
const apple: Rule = { domain: 'icloud.com', tag: '+' }
const fastmail: Rule = { tag: '+', hasSubdomains: true }
const plus: Rule = { tag: '+' }
// A name at Yahoo has no hyphen: what follows one is the keyword of a disposable address.
const yahoo: Rule = { tag: '-' }

const rules = new Map<string, Rule>([
  ...['gmail.com', 'googlemail.com'].map((domain) => [domain, gmail] as const),
  ...['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'].map((domain) => [domain, proton] as const),
  ...['icloud.com', 'me.com', 'mac.com'].map((domain) => [domain, apple] as const),
  ...['fastmail.com', 'fastmail.fm'].map((domain) => [domain, fastmail] as const),
  ...['mailbox.org', 'posteo.de', 'zoho.com'].map((domain) => [domain, plus] as const),
])
/** At the domains of many countries, such as `hotmail.co.uk`. */
const countries: readonly (readonly [RegExp, Rule])[] = [
  [/^(outlook|hotmail|live|msn)\.(com|[a-z]{2}|com?\.[a-z]{2})$/, plus],
  [/^(yahoo\.(com|[a-z]{2}|com?\.[a-z]{2})|(ymail|rocketmail)\.com)$/, yahoo],
]

/**
 * @param email in any case
 * @returns one address for all those of a mailbox, in lower case; null for a text without an `@`
 */
export function mailboxOf(email: string): string | null {
  const at = email.lastIndexOf('@')
  if (at <= 0) return null
  const local = email.slice(0, at).toLowerCase()
  const domain = email.slice(at + 1).toLowerCase()
  const parent = domain.slice(domain.indexOf('.') + 1)
  if (rules.get(parent)?.hasSubdomains) return `${domain.slice(0, -parent.length - 1)}@${parent}`
  const rule = rules.get(domain) ?? countries.find(([pattern]) => pattern.test(domain))?.[1]
  if (!rule) return `${local}@${domain}`
  const tag = local.indexOf(rule.tag)
  const name = (tag > 0 ? local.slice(0, tag) : local).replaceAll(rule.ignored ?? /$^/g, '')
  // Nothing would be left of a name of ignored characters only.
  return `${name || local}@${rule.domain ?? domain}`
}
