/**
 * What it costs to verify a stored hash, so that all refusals can be made to cost the same. Costs of one scheme add up:
 * a hash of 400,000 iterations and one of 200,000 take as long as one of 600,000.
 */
import { blocksOf, type PasswordFormat, readPasswordFormat } from './password-formats.ts'

export interface PasswordCost {
  /** Everything that decides the time but for the number of rounds: `bcrypt`, `argon2id,19,19456,1`. ASCII. */
  readonly scheme: string
  /** Rounds: passes over the memory, iterations, or two to the cost of bcrypt. */
  readonly rounds: number
}

/** @returns null for a text that is verified without any work */
export function passwordCost(stored: string): PasswordCost | null {
  const format = readPasswordFormat(stored)
  return format && costOf(format)
}

function costOf(format: PasswordFormat): PasswordCost {
  switch (format.scheme) {
    case 'argon2':
      return { scheme: [format.variant, format.version, format.memory, format.parallelism].join(), rounds: format.iterations }
    case 'bcrypt':
      return { scheme: 'bcrypt', rounds: 2 ** format.cost }
    case 'pbkdf2':
      return { scheme: ['pbkdf2', format.digest, blocksOf(format)].join(), rounds: format.iterations }
    case 'scrypt':
      return { scheme: 'scrypt', rounds: 1 }
  }
}

/**
 * Hashes of nothing, which belong to no password and together cost as much as asked for.
 * @param bytes makes random ones
 */
export function createDecoys({ scheme, rounds }: PasswordCost, bytes: (length: number) => Uint8Array): string[] {
  if (rounds < 1) return []
  const [name = '', ...details] = scheme.split(',')
  const base64 = (length: number) => Buffer.from(bytes(length)).toString('base64').replaceAll('=', '')
  if (name.startsWith('argon2')) {
    const [version, memory, parallelism] = details
    return [`$${name}$v=${version}$m=${memory},t=${rounds},p=${parallelism}$${base64(16)}$${base64(32)}`]
  }
  if (name === 'bcrypt') return exponentsOf(rounds).map((cost) => bcryptDecoy(cost, bytes))
  if (name === 'pbkdf2') {
    const [digest = 'sha256', blocks] = details
    return [`$pbkdf2-${digest}$${rounds}$${base64(16)}$${base64(Number(blocks) * (digest === 'sha256' ? 32 : 64))}`]
  }
  const hex = (length: number) => Buffer.from(bytes(length)).toString('hex')
  return name === 'scrypt' ? [`${hex(16)}:${hex(64)}`] : []
}

/** The powers of two of which a number of rounds consists; bcrypt begins at the fourth. */
const exponentsOf = (rounds: number): number[] =>
  Array.from({ length: 11 }, (_, position) => position + 4).filter((cost) => rounds & (2 ** cost))

const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const ofBcrypt = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function bcryptDecoy(cost: number, bytes: (length: number) => Uint8Array): string {
  const encode = (length: number) =>
    Buffer.from(bytes(length))
      .toString('base64')
      .replaceAll('=', '')
      .replaceAll(/./g, (letter) => ofBcrypt.charAt(standard.indexOf(letter)))
  return `$2b$${String(cost).padStart(2, '0')}$${encode(16)}${encode(23)}`
}
