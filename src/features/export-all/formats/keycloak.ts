/** Keycloak: the JSON of a realm with its users, as `kc.sh import` reads it. */
import { type PasswordFormat, readPasswordFormat } from '../../../lib/password-formats.ts'
import { parseBase32 } from '../../../lib/totp.ts'
import type { Line } from '../lines.ts'
import type { Members } from '../row-forms.ts'
import { given, type Losses, leaveLine, leaveParts, listOf, objectOf, textOf, type Writer } from './writer.ts'

/** Base64 in this form has padding there. */
const padded = (base64: string): string => Buffer.from(base64, 'base64').toString('base64')

function argon2Data(hash: string, { variant, version, memory, iterations, parallelism }: PasswordFormat & { scheme: 'argon2' }) {
  const [key = '', salt = ''] = hash.split('$').toReversed()
  const additionalParameters = {
    ...{ hashLength: [String(Buffer.from(key, 'base64').length)], memory: [String(memory)] },
    ...{ type: [variant.replace('argon2', '')], version: [version === 19 ? '1.3' : '1.0'], parallelism: [String(parallelism)] },
  }
  return {
    secretData: { value: padded(key), salt: padded(salt), additionalParameters: {} },
    credentialData: { hashIterations: iterations, algorithm: 'argon2', additionalParameters },
  }
}

function pbkdf2Data({ digest, iterations, salt, key }: PasswordFormat & { scheme: 'pbkdf2' }) {
  return {
    secretData: { value: key.toString('base64'), salt: salt.toString('base64'), additionalParameters: {} },
    credentialData: {
      hashIterations: iterations,
      algorithm: digest === 'sha1' ? 'pbkdf2' : `pbkdf2-${digest}`,
      additionalParameters: {},
    },
  }
}

function passwordOf({ password }: Line, losses: Losses): Members[] {
  const { hash, id, createdAt } = objectOf(password)
  const text = textOf(hash)
  if (text === null) return []
  const format = readPasswordFormat(text)
  const data = format?.scheme === 'argon2' ? argon2Data(text, format) : format?.scheme === 'pbkdf2' ? pbkdf2Data(format) : null
  if (data === null) {
    losses.add(`passwords (${format?.scheme ?? 'custom'}): Keycloak verifies argon2 and PBKDF2 only`)
    return []
  }
  const { secretData, credentialData } = data
  return [{ id, type: 'password', createdDate: Date.parse(String(createdAt)), ...texts(secretData, credentialData) }]
}

const texts = (secretData: object, credentialData: object) => ({
  secretData: JSON.stringify(secretData),
  credentialData: JSON.stringify(credentialData),
})

/** Keycloak's secrets are texts, unless their encoding is Base32. */
function totpOf({ totp, secondFactor }: Line): Members[] {
  const { secret, digits, period, algorithm } = objectOf(totp)
  if (typeof secret !== 'string' || parseBase32(secret) === null) return []
  const credentialData = {
    ...{ subType: 'totp', digits, counter: 0, period, algorithm: `Hmac${String(algorithm)}`, secretEncoding: 'BASE32' },
  }
  return [{ id: objectOf(secondFactor).id, type: 'otp', ...texts({ value: secret }, credentialData) }]
}

/** Fields of the application and of this product, as attributes: lists of texts. */
function attributesOf(user: Line): Members {
  const own = { phoneNumber: user.phoneNumber, locale: user.preferredLocale, picture: user.image, latchkeyRole: user.role }
  const all = given({ ...own, ...objectOf(user.fields) })
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
    ]),
  )
}

function userOf(user: Line, losses: Losses): Members {
  leaveParts(user, { totp: true }, losses)
  if (user.banExpires) losses.add('ends of bans: the user is disabled without an end')
  const mustReplace = objectOf(user.password).mustReplace === true
  return given({
    id: user.id,
    username: textOf(user.username) ?? user.email,
    email: user.email,
    emailVerified: user.emailVerified,
    firstName: textOf(user.name),
    enabled: user.banned !== true && !user.lockedAt,
    createdTimestamp: Date.parse(String(user.createdAt)),
    attributes: attributesOf(user),
    credentials: [...passwordOf(user, losses), ...totpOf(user)],
    federatedIdentities: listOf(user.accounts).map(({ providerId, accountId }) => ({
      ...{ identityProvider: providerId, userId: accountId, userName: accountId },
    })),
    requiredActions: mustReplace ? ['UPDATE_PASSWORD'] : [],
  })
}

/** @param realm its name */
export function writeKeycloak(losses: Losses, realm: string): Writer {
  let count = 0
  return {
    start: `{"realm":${JSON.stringify(realm)},"enabled":true,"users":[\n`,
    write: (line) => {
      if (line.type !== 'user') return leaveLine(line, losses)
      count += 1
      return `${count > 1 ? ',\n' : ''}${JSON.stringify(userOf(line, losses))}`
    },
    end: '\n]}\n',
  }
}
