/** https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token */
import { provider } from '../provider.ts'
import { firstText, membersOf } from '../reading.ts'

export const twitter = provider({
  name: 'X',
  registrationURL: 'https://developer.x.com/en/portal/dashboard',
  emails: 'verified',
  placeholders: true,
  authorizationEndpoint: 'https://x.com/i/oauth2/authorize',
  tokenEndpoint: 'https://api.x.com/2/oauth2/token',
  userInfoEndpoint: 'https://api.x.com/2/users/me',
  scopes: {
    'users.read': 'Read the profile',
    'tweet.read': 'Read posts; X requires it to read the profile',
    'offline.access': 'Renew the access',
    'users.email': 'Read the email address',
  },
  pkce: true,
  // Its documentation requires this of every client that has a secret, for refreshes too.
  authentication: 'basic',
  profile: async ({ get, tryGet, endpoints }) => {
    const sent = await get(`${endpoints.userInfoEndpoint}?user.fields=profile_image_url`)
    const { id, name, username, profile_image_url: image } = membersOf(membersOf(sent).data)
    // X rejects it for applications without the permission to read it.
    const more = await tryGet(`${endpoints.userInfoEndpoint}?user.fields=confirmed_email`)
    const { confirmed_email: email } = membersOf(membersOf(more).data)
    return { profile: { id, name: firstText(name, username), email, image, emailVerified: true }, data: Object(sent) }
  },
})
