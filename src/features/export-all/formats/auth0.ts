/** Auth0: a list of users in the form of its bulk import, with hashes of the schemes that it verifies. */
import { readPasswordFormat } from '../../../lib/password-formats.ts'
import type { Line } from '../lines.ts'
import type { Members } from '../row-forms.ts'
import { given, type Losses, leaveLine, leaveParts, listOf, objectOf, textOf, type Writer } from './writer.ts'

const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** @returns the members about the password; null when Auth0 does not verify its scheme */
function hashMembers(hash: string): Members | null {
  const format = readPasswordFormat(hash)
  if (format?.scheme === 'argon2')
    return { custom_password_hash: { algorithm: 'argon2', hash: { value: hash, encoding: 'utf8' } } }
  if (format?.scheme === 'bcrypt' && format.prehash === null)
    return { custom_password_hash: { algorithm: 'bcrypt', hash: { value: format.hash } } }
  if (format?.scheme === 'pbkdf2') {
    const { digest, iterations, salt, key } = format
    const value = `$pbkdf2-${digest}$i=${iterations},l=${key.length}$${text(salt)}$${text(key)}`
    return { custom_password_hash: { algorithm: 'pbkdf2', hash: { value, encoding: 'utf8' } } }
  }
  if (format?.scheme !== 'scrypt' || format.signerKey !== null) return null
  const { ln, r, p, salt, key } = format
  return {
    custom_password_hash: {
      algorithm: 'scrypt',
      hash: { value: key.toString('hex'), encoding: 'hex' },
      salt: { value: salt.toString('hex'), encoding: 'hex' },
      ...{ keylen: key.length, cost: 2 ** ln, blockSize: r, parallelization: p },
    },
  }
}

function passwordOf({ password }: Line, losses: Losses): Members {
  const hash = textOf(objectOf(password).hash)
  if (hash === null) return {}
  const members = hashMembers(hash)
  if (members === null) losses.add(`passwords (${readPasswordFormat(hash)?.scheme ?? 'custom'}): Auth0 does not verify them`)
  return members ?? {}
}

function factorsOf({ totp }: Line, losses: Losses): Members {
  const { secret, digits, period, algorithm } = objectOf(totp)
  if (typeof secret !== 'string') return {}
  if (digits === 6 && period === 30 && algorithm === 'SHA1') return { mfa_factors: [{ totp: { secret } }] }
  losses.add('secrets of authenticator apps: Auth0 knows six digits, 30 seconds and SHA-1 only')
  return {}
}

function userOf(user: Line, losses: Losses): Members {
  leaveParts(user, { totp: true }, losses)
  losses.add('social accounts: a bulk import creates none, users link them at their next sign-in', listOf(user.accounts).length)
  losses.add('times of creation: a bulk import sets its own')
  if (user.banExpires) losses.add('ends of bans: the user is blocked without an end')
  if (objectOf(user.password).mustReplace === true) losses.add('passwords to replace at the next sign-in: they stay as they are')
  if (user.phoneNumber) losses.add('phone numbers: the connection for passwords has none')
  const role = textOf(user.role)
  return given({
    user_id: user.id,
    email: user.email,
    email_verified: user.emailVerified,
    name: textOf(user.name),
    picture: textOf(user.image),
    username: textOf(user.username),
    blocked: user.banned === true || Boolean(user.lockedAt) || null,
    // Users may change their own metadata in some applications, and this never.
    app_metadata: { ...given(objectOf(user.fields)), ...(role !== null && { role }) },
    ...passwordOf(user, losses),
    ...factorsOf(user, losses),
  })
}

export function writeAuth0(losses: Losses): Writer {
  let count = 0
  return {
    start: '[\n',
    write: (line) => {
      if (line.type !== 'user') return leaveLine(line, losses)
      count += 1
      return `${count > 1 ? ',\n' : ''}${JSON.stringify(userOf(line, losses))}`
    },
    end: '\n]\n',
  }
}
