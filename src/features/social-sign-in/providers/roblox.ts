/** https://create.roblox.com/docs/cloud/auth/oauth2-reference */
import { profileFromUserInfo, provider } from '../provider.ts'
import { firstText } from '../reading.ts'

export const roblox = provider({
  name: 'Roblox',
  registrationURL: 'https://create.roblox.com/dashboard/credentials',
  emails: 'none',
  placeholders: true,
  authorizationEndpoint: 'https://apis.roblox.com/oauth/v1/authorize',
  tokenEndpoint: 'https://apis.roblox.com/oauth/v1/token',
  userInfoEndpoint: 'https://apis.roblox.com/oauth/v1/userinfo',
  scopes: { openid: 'Identify the user', profile: 'Read the profile' },
  // Recommended for all clients; better-auth does not send it.
  pkce: true,
  parameters: ({ options }) => ({ prompt: options.prompt ?? 'select_account consent' }),
  profile: profileFromUserInfo(({ sub, nickname, preferred_username, picture }) => ({
    id: sub,
    name: firstText(nickname, preferred_username),
    image: picture,
    emailVerified: false,
  })),
})
