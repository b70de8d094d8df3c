/** Cookies that an answer sets, in the order of the writes; of several for one name only the last goes out (contract 00 §5). */
export interface CookieJar {
  /** @param header the whole value of one `Set-Cookie` header */
  set(name: string, header: string): void
  /** The `Set-Cookie` header last written for this name. */
  get(name: string): string | undefined
  headers(): string[]
  /** Forgets all that was written. */
  discard(): void
}

export function createCookieJar(): CookieJar {
  const written = new Map<string, string>()
  return {
    set(name, header) {
      written.delete(name)
      written.set(name, header)
    },
    get: (name) => written.get(name),
    headers: () => [...written.values()],
    discard: () => written.clear(),
  }
}
