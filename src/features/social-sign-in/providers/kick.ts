/** https://docs.kick.com/getting-started/generating-tokens-oauth2-flow */
import { profileFromUserInfo, provider } from '../provider.ts'
import { listOf, membersOf } from '../reading.ts'

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
    ({ user_id: id, name, email, profile_picture: image }) => ({ id, name, email, image, emailVerified: true }),
    // The call can return many users; without IDs it returns the user of the access token only.
    async ({ get }) => listOf(membersOf(await get()).data)[0],
  ),
})
