/** Callers have bounds of their own, far below; this one keeps a forgotten check from costing more than an error. */
const maximumBytes = 4096

/**
 * In what forms a password is compared: NFKC first, so that one typed on another keyboard is the same (SP 800-63B-4
 * §3.1.1.2, contract 00 §10); then as it was typed, because not everybody from whom hashes were taken over has normalized.
 */
export function toForms(password: string): [normalized: string, ...typed: string[]] {
  if (Buffer.byteLength(password) > maximumBytes)
    throw new Error(`A password of more than ${maximumBytes} bytes reached the hasher`)
  const normalized = password.normalize('NFKC')
  return normalized === password ? [normalized] : [normalized, password]
}
