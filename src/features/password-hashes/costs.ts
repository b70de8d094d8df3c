/**
 * The cost of verifying a stored hash, so that all failed checks can be made to cost the same. Costs of one scheme add up:
 * a hash of 400,000 iterations and one of 200,000 take as long as one of 600,000.
 */
import {
  blocksOf,
  digestBytes,
  type PasswordFormat,
  readPasswordFormat,
  referenceScrypt,
  type ScryptFormat,
  type WrappedFormat,
  writeWrapped,
} from '../../lib/password-formats.ts'

export interface PasswordCost {
  /** All parameters that decide the time except the rounds: `bcrypt`, `argon2id,19,19456,1`. ASCII. */
  readonly scheme: string
  /** Rounds: passes over the memory, iterations, or two to the cost of bcrypt. */
  readonly rounds: number
}

/** @returns none for an unknown format, which is rejected without any work */
export function passwordCosts(stored: string): PasswordCost[] {
  const format = readPasswordFormat(stored)
  if (format?.scheme !== 'wrapped') return format ? [costOf(format)] : []
  const { recipe, outer } = format
  // A single digest takes no time that anyone can measure.
  const inner = recipe.rounds > 1 ? [{ scheme: `wrapped,${recipe.algorithm}`, rounds: recipe.rounds }] : []
  return outer ? [costOf(outer), ...inner] : inner
}

function costOf(format: Exclude<PasswordFormat, WrappedFormat>): PasswordCost {
  switch (format.scheme) {
    case 'argon2':
      return { scheme: [format.variant, format.version, format.memory, format.parallelism].join(), rounds: format.iterations }
    case 'bcrypt':
      return { scheme: 'bcrypt', rounds: 2 ** format.cost }
    case 'pbkdf2':
      return { scheme: ['pbkdf2', format.digest, blocksOf(format)].join(), rounds: format.iterations }
    case 'scrypt':
      return { scheme: scryptScheme(format), rounds: 1 }
    case 'sha-crypt':
      return { scheme: ['sha-crypt', format.digest].join(), rounds: format.rounds }
  }
}

/** The cost of better-auth has the short name that stored rows have. */
function scryptScheme({ ln, r, p }: ScryptFormat): string {
  const isReference = ln === referenceScrypt.ln && r === referenceScrypt.r && p === referenceScrypt.p
  return isReference ? 'scrypt' : ['scrypt', ln, r, p].join()
}

/**
 * Creates hashes that match no password and cost the given rounds in total.
 * @param bytes returns random bytes
 */
export function createDecoys({ scheme, rounds }: PasswordCost, bytes: (length: number) => Uint8Array): string[] {
  if (rounds < 1) return []
  const [name = '', ...details] = scheme.split(',')
  const base64 = (length: number) => Buffer.from(bytes(length)).toString('base64').replaceAll('=', '')
  if (name.startsWith('argon2')) {
    const [version, memory, parallelism] = details
    return [`$${name}$v=${version}$m=${memory},t=${rounds},p=${parallelism}$${base64(16)}$${base64(32)}`]
  }
  const hex = (length: number) => Buffer.from(bytes(length)).toString('hex')
  // Salt and key are 53 characters of bcrypt's own alphabet, which has all hexadecimal digits.
  if (name === 'bcrypt') return exponentsOf(rounds).map((cost) => `$2b$${String(cost).padStart(2, '0')}$${hex(27).slice(0, 53)}`)
  if (name === 'pbkdf2') {
    const [digest, blocks] = details as [keyof typeof digestBytes, string]
    return [`$pbkdf2-${digest}$${rounds}$${base64(16)}$${base64(Number(blocks) * digestBytes[digest])}`]
  }
  if (name === 'sha-crypt') return [shaCryptDecoy(details[0] === 'sha256' ? 43 : 86, rounds, hex)]
  if (name === 'wrapped') return [writeWrapped({ algorithm: details[0] ?? '', rounds, salt: Buffer.from(hex(4)) })]
  if (name !== 'scrypt') return []
  const [ln, r, p] = details.length > 0 ? details : Object.values(referenceScrypt)
  return [`$scrypt$ln=${ln},r=${r},p=${p}$${base64(16)}$${base64(64)}`]
}

/** The key has hexadecimal digits only, which its alphabet contains. */
const shaCryptDecoy = (length: 43 | 86, rounds: number, hex: (bytes: number) => string): string =>
  `$${length === 43 ? 5 : 6}$rounds=${rounds}$${hex(8)}$${hex(43).slice(0, length)}`

/** The powers of two that add up to a number of rounds; the lowest cost of bcrypt is 4. */
const exponentsOf = (rounds: number): number[] =>
  Array.from({ length: 11 }, (_, position) => position + 4).filter((cost) => rounds & (2 ** cost))
