/** https://github.com/reddit-archive/reddit/wiki/OAuth2 */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const me = z.looseObject({
  id: z.string(),
  name: z.string(),
  oauth_client_id: maybeText,
  icon_img: maybeText,
  has_verified_email: z.boolean().nullish(),
})

export const reddit = provider({
  name: 'Reddit',
  registrationURL: 'https://www.reddit.com/prefs/apps',
  emails: 'shared',
  authorizationEndpoint: 'https://www.reddit.com/api/v1/authorize',
  tokenEndpoint: 'https://www.reddit.com/api/v1/access_token',
  userInfoEndpoint: 'https://oauth.reddit.com/api/v1/me',
  scopes: { identity: 'Read the profile' },
  pkce: false,
  authentication: 'basic',
  options: {
    duration: z
      .enum(['temporary', 'permanent'])
      .optional()
      .describe('How long Reddit grants access: `permanent` requests a refresh token'),
  },
  parameters: ({ options }) => ({ duration: options.duration }),
  profile: profileFromUserInfo(me, ({ id, name, oauth_client_id, icon_img, has_verified_email }) => ({
    id,
    name,
    // Reddit gives no email address, and better-auth stores this in its place. It is the ID of your client, the same for all
    // users, so that only the first of them can sign up: `mapProfileToUser` should return an `email` of each user.
    email: oauth_client_id ?? null,
    // The query has the size, and a signature that expires.
    image: icon_img?.split('?')[0],
    emailVerified: has_verified_email ?? false,
  })),
})
