const address = /^(?!\.)(?!.*\.\.)(?:[a-z0-9_'+\-.]*)[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i

/** What counts as an address (contract 00 §12). 320 characters are the longest (RFC 3696 erratum 1690). */
export const isEmailAddress = (text: string): boolean => text.length <= 320 && address.test(text)
