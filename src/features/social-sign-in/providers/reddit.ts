/** https://github.com/reddit-archive/reddit/wiki/OAuth2 */
import { z } from 'zod'
import { profileFromUserInfo, provider } from '../provider.ts'
import { firstText } from '../reading.ts'

export const reddit = provider({
  name: 'Reddit',
  registrationURL: 'https://www.reddit.com/prefs/apps',
  emails: 'none',
  placeholders: true,
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
  profile: profileFromUserInfo(({ id, name, icon_img }) => ({
    id,
    name,
    // The query has the size, and a signature that expires.
    image: firstText(icon_img).split('?')[0],
    // It says whether there is a verified email address, but not which.
    emailVerified: false,
  })),
})
