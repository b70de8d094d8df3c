/** Lists of email addresses and domains, of the configuration and of files. */
import { domainToASCII } from 'node:url'
import { mailboxOf } from '../../lib/mailbox.ts'
import { isEmailAddress } from '../../lib/text.ts'

/** Where an entry stands. */
export interface Place {
  /** The option that has it, or names its file. */
  readonly setting: string
  readonly file?: string
  readonly line?: number
}

export interface ListEntry extends Place {
  readonly entry: string
}

type Pattern =
  | { readonly kind: 'all' }
  /** `address` and `domain` are exact, `below` are the subdomains of a domain. */
  | { readonly kind: 'address' | 'domain' | 'below'; readonly value: string }

export interface AddressList {
  readonly size: number
  readonly all: ListEntry | null
  readonly address: ReadonlyMap<string, ListEntry>
  readonly mailbox: ReadonlyMap<string, ListEntry>
  readonly domain: ReadonlyMap<string, ListEntry>
  readonly below: ReadonlyMap<string, ListEntry>
}

const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** In lower case and ASCII, as IDNA writes it, so that both forms of an international domain are equal. */
const comparableDomain = (domain: string): string => domainToASCII(domain) || domain.toLowerCase()

/**
 * Reads an entry: `ann@acme.example`, `*@acme.example` or `acme.example` (the domain), `*.acme.example` or `*@*.acme.example` (its
 * subdomains), `*` (every address).
 * @returns null for any other text
 */
export function readPattern(entry: string): Pattern | null {
  if (entry === '*') return { kind: 'all' }
  const rest = entry.startsWith('*@') ? entry.slice(2) : entry
  if (rest.includes('@')) {
    const [local = '', domain = ''] = rest.split(/@(?=[^@]*$)/)
    const address = `${local.toLowerCase()}@${comparableDomain(domain)}`
    return isEmailAddress(address) && !local.includes('*') ? { kind: 'address', value: address } : null
  }
  const isBelow = rest.startsWith('*.')
  const domain = comparableDomain(isBelow ? rest.slice(2) : rest)
  return domainPattern.test(domain) ? { kind: isBelow ? 'below' : 'domain', value: domain } : null
}

/** @param entries those that `readPattern` reads; of two for the same addresses, the first one counts */
export function compileList(entries: readonly ListEntry[]): AddressList {
  const maps = {
    address: new Map<string, ListEntry>(),
    mailbox: new Map<string, ListEntry>(),
    domain: new Map<string, ListEntry>(),
    below: new Map<string, ListEntry>(),
  }
  const add = (map: Map<string, ListEntry>, key: string, one: ListEntry) => void (map.has(key) || map.set(key, one))
  let all: ListEntry | null = null
  for (const one of entries) {
    const pattern = readPattern(one.entry)
    if (pattern?.kind === 'all') all ??= one
    else if (pattern) add(maps[pattern.kind], pattern.value, one)
    if (pattern?.kind === 'address') add(maps.mailbox, mailboxOf(pattern.value) ?? pattern.value, one)
  }
  return { size: entries.length, all, ...maps }
}

/** An email address in the forms in which lists have it. */
export interface ComparableAddress {
  readonly address: string
  readonly domain: string
  /** The domain, and those above it. */
  readonly domains: readonly string[]
}

/** @param email in lower case; any text */
export function comparableAddress(email: string): ComparableAddress {
  const at = email.lastIndexOf('@')
  const domain = comparableDomain(email.slice(at + 1))
  const labels = domain.split('.')
  return { address: `${email.slice(0, at)}@${domain}`, domain, domains: labels.map((_, from) => labels.slice(from).join('.')) }
}

/** The entry for an address, but for `*`; null: none. */
export function findEntry(list: AddressList, { address, domain, domains }: ComparableAddress): ListEntry | null {
  const exact = list.address.get(address) ?? list.domain.get(domain)
  if (exact || list.below.size === 0) return exact ?? null
  for (const above of domains.slice(1)) {
    const found = list.below.get(above)
    if (found) return found
  }
  return null
}

/** The entry for another form of the same mailbox, such as with a tag: who was blocked must not return with another one. */
export const findMailboxEntry = (list: AddressList, { address }: ComparableAddress): ListEntry | null =>
  list.mailbox.size === 0 ? null : (list.mailbox.get(mailboxOf(address) ?? address) ?? null)
