/** https://developers.tiktok.com/doc/login-kit-web */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const user = z.looseObject({
  open_id: z.string(),
  avatar_large_url: maybeText,
  display_name: maybeText,
  username: maybeText,
  email: maybeText,
})
// Successful responses have an `error` too, whose code is `ok`.
const userInfo = z.looseObject({
  data: z.looseObject({ user }),
  error: z.looseObject({ code: z.literal('ok') }).optional(),
})

export const tiktok = provider({
  name: 'TikTok',
  registrationURL: 'https://developers.tiktok.com/apps',
  requiresHTTPS: true,
  emails: 'names',
  authorizationEndpoint: 'https://www.tiktok.com/v2/auth/authorize',
  tokenEndpoint: 'https://open.tiktokapis.com/v2/oauth/token/',
  userInfoEndpoint: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_large_url,display_name,username',
  scopes: { 'user.info.profile': 'Read the profile' },
  scopeSeparator: ',',
  // TikTok has PKCE only for desktop apps, and with another encoding than RFC 7636.
  pkce: false,
  clientIdParameter: 'client_key',
  parameterOrder: ['scope', 'response_type', 'client_key', 'redirect_uri', 'state'],
  profile: profileFromUserInfo(userInfo, ({ data }) => {
    const { open_id, display_name, username, email, avatar_large_url } = data.user
    return {
      id: open_id,
      name: display_name || username || '',
      // TikTok gives email addresses to selected apps only: for all others the user name is in their place.
      email: email ?? username ?? null,
      image: avatar_large_url,
      emailVerified: Boolean(email),
    }
  }),
})
