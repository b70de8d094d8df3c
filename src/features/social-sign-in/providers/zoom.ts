/** https://developers.zoom.us/docs/integrations/oauth/ */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const user = z.looseObject({
  id: z.string(),
  display_name: maybeText,
  email: maybeText,
  pic_url: maybeText,
  // 1 or 0.
  verified: z.number().optional(),
})

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
  profile: profileFromUserInfo(user, ({ id, display_name, email, pic_url, verified }) => ({
    id,
    name: display_name ?? '',
    email: email ?? null,
    image: pic_url,
    emailVerified: Boolean(verified),
  })),
})
