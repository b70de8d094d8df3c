/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
import { provider } from '../provider.ts'
import { firstText, isYes, listOf, membersOf } from '../reading.ts'

/** An address of the list that GitHub sends with the scope `user:email`. */
const addressOf = (sent: unknown) => {
  const { email, primary, verified } = membersOf(sent)
  return { email: firstText(email), isPrimary: isYes(primary), verified }
}

const isSame = (email: string, other: string): boolean => email.toLowerCase() === other.toLowerCase()

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
  profile: async ({ get, tryGet, endpoints }) => {
    const data = await get()
    const { id, login, name, email: sent, avatar_url: image } = membersOf(data)
    // The profile contains only a public email address, and not whether it is verified.
    const known = listOf(await tryGet(`${endpoints.userInfoEndpoint}/emails`))
      .map(addressOf)
      .filter(({ email }) => email)
    const shown = firstText(sent)
    const address = shown
      ? known.find(({ email }) => isSame(email, shown))
      : (known.find(({ isPrimary }) => isPrimary) ?? known[0])
    const email = shown || address?.email
    const profile = { id, name: firstText(name, login), email, image, emailVerified: address?.verified }
    return { profile, data: Object(data) }
  },
})
