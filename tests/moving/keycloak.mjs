import { readFileSync } from 'node:fs'

const [file] = process.argv.slice(2)
const { users } = JSON.parse(readFileSync(file, 'utf8'))
const withoutPadding = (base64) => base64.replace(/=+$/, '')

function hashOf({ credentialData, secretData }) {
  const { algorithm, hashIterations, additionalParameters } = JSON.parse(credentialData)
  const { salt, value } = JSON.parse(secretData)
  const parts = [withoutPadding(salt), withoutPadding(value)]
  if (algorithm === 'argon2') {
    const [memory] = additionalParameters.memory
    const [parallelism] = additionalParameters.parallelism
    const [type] = additionalParameters.type
    return `$argon2${type}$v=19$m=${memory},t=${hashIterations},p=${parallelism}$${parts.join('$')}`
  }
  // pbkdf2-sha256, pbkdf2-sha512; pbkdf2 alone is SHA-1.
  const digest = algorithm === 'pbkdf2' ? 'pbkdf2-sha1' : algorithm
  return `$${digest}$i=${hashIterations}$${parts.join('$')}`
}

function secretOf({ credentialData, secretData }) {
  const { algorithm, digits, period, secretEncoding } = JSON.parse(credentialData)
  const { value } = JSON.parse(secretData)
  return { secret: secretEncoding === 'BASE32' ? value : base32(Buffer.from(value)), algorithm, digits, period }
}

function base32(bytes) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
}

for (const { id, email, firstName, lastName, emailVerified, createdTimestamp, credentials = [] } of users) {
  if (!email) continue
  const password = credentials.find(({ type }) => type === 'password')
  const user = { id, email, name: [firstName, lastName].filter(Boolean).join(' '), emailVerified, createdAt: createdTimestamp }
  const accounts = password ? [{ providerId: 'credential', password: hashOf(password) }] : []
  const app = credentials.find(({ type, credentialData }) => type === 'otp' && JSON.parse(credentialData).subType === 'totp')
  console.log(JSON.stringify({ user, accounts, ...(app && { secondFactor: { totp: secretOf(app) } }) }))
}
