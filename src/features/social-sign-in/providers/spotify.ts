/** https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow */
import { profileFromUserInfo, provider } from '../provider.ts'
import { firstText, listOf, membersOf } from '../reading.ts'

export const spotify = provider({
  name: 'Spotify',
  registrationURL: 'https://developer.spotify.com/dashboard',
  emails: 'unverified',
  authorizationEndpoint: 'https://accounts.spotify.com/authorize',
  tokenEndpoint: 'https://accounts.spotify.com/api/token',
  userInfoEndpoint: 'https://api.spotify.com/v1/me',
  scopes: { 'user-read-email': 'Read the email address' },
  pkce: true,
  profile: profileFromUserInfo(({ id, display_name, email, images }) => ({
    id,
    name: display_name,
    email,
    image: firstText(...listOf(images).map((image) => membersOf(image).url)),
    // Documented at `email`: nothing shows that it belongs to the user.
    emailVerified: false,
  })),
})
