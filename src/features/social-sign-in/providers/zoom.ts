/** https://developers.zoom.us/docs/integrations/oauth/ */
import { profileFromUserInfo, provider } from '../provider.ts'

export const zoom = provider({
  name: 'Zoom',
  registrationURL: 'https://marketplace.zoom.us/develop/create',
  emails: 'reported',
  authorizationEndpoint: 'https://zoom.us/oauth/authorize',
  tokenEndpoint: 'https://zoom.us/oauth/token',
  userInfoEndpoint: 'https://api.zoom.us/v2/users/me',
  // Zoom grants the scopes with which the app is registered.
  scopes: {},
  pkce: true,
  refresh: false,
  profile: profileFromUserInfo(({ id, display_name, email, pic_url, verified }) => ({
    id,
    name: display_name,
    email,
    image: pic_url,
    // 1 or 0.
    emailVerified: verified,
  })),
})
