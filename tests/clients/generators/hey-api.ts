/** A program as a user of @hey-api/openapi-ts writes it. Usage: node hey-api.js API-URL */
import { client } from './generated/client.gen.ts'
import { getSession, listSessions, signInEmail, signUpEmail, updateUser } from './generated/sdk.gen.ts'
import type { Error as Failure, User } from './generated/types.gen.ts'

const [baseUrl = ''] = process.argv.slice(2)
const cookies = new Map<string, string>()
client.setConfig({ baseUrl })
client.interceptors.request.use((request) => {
  request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
  return request
})
client.interceptors.response.use((response) => {
  for (const header of response.headers.getSetCookie()) {
    const [pair = ''] = header.split(';')
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
  return response
})

const email = 'ann@example.com'
const password = 'correct horse battery staple'

// @ts-expect-error the password is required
const withoutPassword = await signUpEmail({ body: { name: 'Ann', email } })
const invalid: string | undefined = withoutPassword.error?.code

const signedUp = await signUpEmail({ body: { name: 'Ann', email, password } })
cookies.clear()
const rejected = await signInEmail({ body: { email, password: 'not the password' } })
const failure: Failure | undefined = rejected.error
const signedIn = await signInEmail({ body: { email, password, rememberMe: false } })
const updated = await updateUser({ body: { name: 'Anna' } })
const { data: session } = await getSession()
const user: User | undefined = session?.user
const { data: sessions = [] } = await listSessions()
const expiries: string[] = sessions.map(({ expiresAt }) => expiresAt)

console.log(
  JSON.stringify({
    invalid,
    signedUp: signedUp.data?.user.name,
    failure: failure?.code,
    // Of a user with a second factor there is a challenge in place of a session.
    signedIn: signedIn.data && 'user' in signedIn.data ? signedIn.data.user.email : null,
    updated: updated.data?.status,
    name: user?.name,
    sessions: expiries.length,
  }),
)
