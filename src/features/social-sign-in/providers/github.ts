/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
import { z } from 'zod'
import { maybeText, provider } from '../provider.ts'

const user = z.looseObject({ id: z.number(), login: z.string(), name: maybeText, email: maybeText, avatar_url: maybeText })
const addresses = z.array(z.looseObject({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

export const github = provider({
  name: 'GitHub',
  registrationURL: 'https://github.com/settings/developers',
  emails: 'reported',
  authorizationEndpoint: 'https://github.com/login/oauth/authorize',
  tokenEndpoint: 'https://github.com/login/oauth/access_token',
  userInfoEndpoint: 'https://api.github.com/user',
  scopes: { 'read:user': 'Read the profile', 'user:email': 'Read the email addresses' },
  // Documented since July 2025; better-auth does not send it.
  pkce: true,
  loginHint: true,
  profile: async ({ get, endpoints }) => {
    const data = await get()
    const { id, login, name, email, avatar_url } = user.parse(data)
    // The profile contains only a public email address, and not whether it is verified.
    const known = addresses.parse(await get(`${endpoints.userInfoEndpoint}/emails`))
    const address = email ? known.find((one) => one.email === email) : (known.find(({ primary }) => primary) ?? known[0])
    const profile = {
      id: String(id),
      name: name || login,
      email: email ?? address?.email ?? null,
      image: avatar_url,
      emailVerified: address?.verified ?? false,
    }
    return { profile, data: Object(data) }
  },
})
