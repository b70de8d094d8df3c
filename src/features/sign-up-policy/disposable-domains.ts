/**
 * Domains of disposable mailboxes. `disposable-domains.txt` starts with its date and source, a community list that anyone may use
 * (CC0-1.0); `scripts/disposable-domains.ts` generates it.
 */
import { readFileSync } from 'node:fs'

interface DisposableDomains {
  /** Of the list: `2026-09-21`. */
  readonly date: string
  readonly domains: ReadonlySet<string>
}

let list: DisposableDomains | undefined

/** Read when it is first needed: most installations do not use it. */
export function disposableDomains(): DisposableDomains {
  if (list) return list
  const [header = '', ...lines] = readFileSync(new URL('disposable-domains.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  list = { date: header.slice(2, 12), domains: new Set(lines) }
  return list
}
