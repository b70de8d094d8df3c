/** A program as a user of openapi-typescript writes it. Usage: node openapi-fetch.js API-URL */
import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from './generated/api.d.ts'

const [baseUrl = ''] = process.argv.slice(2)
const cookies = new Map<string, string>()
/** Outside a browser, a client keeps the cookies itself. */
const keepCookies: Middleware = {
  onRequest({ request }) {
    request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
  },
  onResponse({ response }) {
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  },
}
const client = createClient<paths>({ baseUrl })
client.use(keepCookies)

const email = 'ann@example.com'
const password = 'correct horse battery staple'

// @ts-expect-error the password is required
const withoutPassword = await client.POST('/sign-up/email', { body: { name: 'Ann', email } })
const invalid: string | undefined = withoutPassword.error?.code

const signedUp = await client.POST('/sign-up/email', { body: { name: 'Ann', email, password } })
cookies.clear()
const rejected = await client.POST('/sign-in/email', { body: { email, password: 'not the password' } })
const failure: components['schemas']['Error'] | undefined = rejected.error
const signedIn = await client.POST('/sign-in/email', { body: { email, password, rememberMe: false } })
const updated = await client.POST('/update-user', { body: { name: 'Anna' } })
const { data: session } = await client.GET('/get-session')
const user: components['schemas']['User'] | undefined = session?.user
const { data: sessions = [] } = await client.GET('/list-sessions')
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
