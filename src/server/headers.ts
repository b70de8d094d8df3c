/** Headers of a request, from any framework: the standard object, or Node's own. */

/** What frameworks have: `Headers`, or an object with names in lower case. */
export type HeaderSource = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>

/** Longer headers than Node accepts by default are not read. */
const longestHeader = 16_384

/**
 * One header of a request.
 * @param name in lower case
 * @returns null when it is missing or longer than 16 KiB
 */
export function readHeader(headers: HeaderSource, name: string): string | null {
  const value = isStandard(headers) ? headers.get(name) : headers[name]
  const text = typeof value === 'object' ? value?.join('; ') : value
  return text && text.length <= longestHeader ? text : null
}

const isStandard = (headers: HeaderSource): headers is Pick<Headers, 'get'> => typeof headers.get === 'function'

/** The token of `Authorization: Bearer`; null when there is none. */
export function readBearer(headers: HeaderSource): string | null {
  const [, token] = /^bearer +([\w.~+/=%-]{1,8192})$/i.exec(readHeader(headers, 'authorization') ?? '') ?? []
  return token ?? null
}
