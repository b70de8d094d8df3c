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

for (const { id, email, firstName, lastName, emailVerified, createdTimestamp, credentials = [] } of users) {
  if (!email) continue
  const password = credentials.find(({ type }) => type === 'password')
  const user = { id, email, name: [firstName, lastName].filter(Boolean).join(' '), emailVerified, createdAt: createdTimestamp }
  const accounts = password ? [{ providerId: 'credential', password: hashOf(password) }] : []
  console.log(JSON.stringify({ user, accounts }))
}
