/** https://create.roblox.com/docs/cloud/auth/oauth2-reference */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const userInfo = z.looseObject({
  sub: z.string(),
  nickname: maybeText,
  preferred_username: maybeText,
  picture: maybeText,
})

export const roblox = provider({
  name: 'Roblox',
  registrationURL: 'https://create.roblox.com/dashboard/credentials',
  emails: 'names',
  authorizationEndpoint: 'https://apis.roblox.com/oauth/v1/authorize',
  tokenEndpoint: 'https://apis.roblox.com/oauth/v1/token',
  userInfoEndpoint: 'https://apis.roblox.com/oauth/v1/userinfo',
  scopes: { openid: 'Identify the user', profile: 'Read the profile' },
  // Recommended for all clients; better-auth does not send it.
  pkce: true,
  parameters: ({ options }) => ({ prompt: options.prompt ?? 'select_account consent' }),
  profile: profileFromUserInfo(userInfo, ({ sub, nickname, preferred_username, picture }) => ({
    id: sub,
    name: nickname ?? preferred_username ?? '',
    // Roblox gives no email address: the user name is in its place, and never counts as verified for linking.
    email: preferred_username ?? null,
    image: picture,
    emailVerified: true,
  })),
})
