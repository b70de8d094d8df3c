/** https://docs.kick.com/getting-started/generating-tokens-oauth2-flow */
import { z } from 'zod'
import { idText, maybeText, profileFromUserInfo, provider } from '../provider.ts'

const user = z.looseObject({ user_id: idText, name: z.string(), email: maybeText, profile_picture: maybeText })
const users = z.looseObject({ data: z.tuple([z.unknown()]).rest(z.unknown()) })

export const kick = provider({
  name: 'Kick',
  registrationURL: 'https://kick.com/settings/developer',
  emails: 'verified',
  authorizationEndpoint: 'https://id.kick.com/oauth/authorize',
  tokenEndpoint: 'https://id.kick.com/oauth/token',
  userInfoEndpoint: 'https://api.kick.com/public/v1/users',
  scopes: { 'user:read': 'Read the profile and the email address' },
  pkce: true,
  refresh: false,
  profile: profileFromUserInfo(
    user,
    (own) => ({ id: own.user_id, name: own.name, email: own.email ?? null, image: own.profile_picture, emailVerified: true }),
    // The call can return many users; without IDs it returns the user of the access token only.
    async ({ get }) => users.parse(await get()).data[0],
  ),
})
