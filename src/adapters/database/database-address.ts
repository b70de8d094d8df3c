/** URLs of databases: `mysql://user:password@host:3306/name`. */
import type { ConfigIssue } from '../../core/config.ts'

interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

const form = 'mysql://user:password@host:3306/name'

const issue = (message: string, hint: string): ConfigIssue => ({ id: 'database-address', path: 'database.url', message, hint })

/**
 * @param text a URL with the scheme `mysql:` (RFC 3986)
 * @returns the decoded parts, or an issue; no message repeats the URL, which contains a password
 */
export function parseDatabaseAddress(text: string): DatabaseAddress | ConfigIssue {
  const url = URL.parse(text)
  const [, name = ''] = /^\/([^/]*)$/.exec(url?.pathname ?? '') ?? []
  // These characters end the part of a URL in which the password is.
  const found = /^[^/]*:\/\/[^#?/]*([#?/]).*@/s.exec(text)?.[1]
  if (found && (!url?.username || url.hash || url.search || !name)) {
    const encoded = encodeURIComponent(found)
    return issue(`The user or the password contains ${found}.`, `Write ${found} as ${encoded}, and % as %25.`)
  }
  if (!url?.hostname) return issue(`The address must look like ${form}.`, 'Encode special characters of the password.')
  // An ignored parameter may have been meant as protection.
  if (url.search || url.hash)
    return issue('The address cannot have parameters.', 'Use the other options of the section database, and write # as %23.')
  const parts = [url.username, url.password, name].map(decode)
  const [user, password, database] = parts
  if (user === undefined || password === undefined || database === undefined)
    return issue('The user, the password or the name contains a % that encodes no character.', 'Write % as %25.')
  if (!database) return issue('The address must end with the name of a database.', `Write it as in ${form}.`)
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 3306), user, password, database }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
