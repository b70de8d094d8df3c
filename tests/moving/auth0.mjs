import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

const [file] = process.argv.slice(2)
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { email, email_verified: emailVerified, passwordHash, mfa_factors: factors = [] } = JSON.parse(line)
  const accounts = passwordHash ? [{ providerId: 'credential', password: passwordHash }] : []
  const secret = factors.find(({ totp }) => totp)?.totp.secret
  console.log(JSON.stringify({ user: { email, emailVerified }, accounts, ...(secret && { secondFactor: { totp: { secret } } }) }))
}
