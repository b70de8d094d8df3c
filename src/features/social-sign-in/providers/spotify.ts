/** https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const user = z.looseObject({
  id: z.string(),
  display_name: maybeText,
  email: maybeText,
  images: z.array(z.looseObject({ url: maybeText })).nullish(),
})

export const spotify = provider({
  name: 'Spotify',
  registrationURL: 'https://developer.spotify.com/dashboard',
  emails: 'unverified',
  authorizationEndpoint: 'https://accounts.spotify.com/authorize',
  tokenEndpoint: 'https://accounts.spotify.com/api/token',
  userInfoEndpoint: 'https://api.spotify.com/v1/me',
  scopes: { 'user-read-email': 'Read the email address' },
  pkce: true,
  profile: profileFromUserInfo(user, ({ id, display_name, email, images }) => ({
    id,
    name: display_name ?? '',
    email: email ?? null,
    image: images?.[0]?.url,
    // Documented at `email`: nothing shows that it belongs to the user.
    emailVerified: false,
  })),
})
