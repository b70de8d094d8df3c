/** https://www.dropbox.com/developers/documentation/http/documentation#oauth2-authorize */
import { z } from 'zod'
import { profileFromUserInfo, provider } from '../provider.ts'
import { membersOf } from '../reading.ts'

export const dropbox = provider({
  name: 'Dropbox',
  registrationURL: 'https://www.dropbox.com/developers/apps',
  emails: 'reported',
  authorizationEndpoint: 'https://www.dropbox.com/oauth2/authorize',
  tokenEndpoint: 'https://api.dropboxapi.com/oauth2/token',
  refreshEndpoint: 'https://api.dropbox.com/oauth2/token',
  userInfoEndpoint: 'https://api.dropboxapi.com/2/users/get_current_account',
  scopes: { 'account_info.read': 'Read the profile and the email address' },
  pkce: true,
  options: {
    accessType: z.enum(['online', 'offline']).optional().describe('`offline` requests a refresh token'),
  },
  // Dropbox has no `access_type`.
  parameters: ({ options }) => ({ token_access_type: options.accessType }),
  profile: profileFromUserInfo(
    ({ account_id, name, email, email_verified, profile_photo_url }) => ({
      id: account_id,
      name: membersOf(name).display_name,
      email,
      image: profile_photo_url,
      emailVerified: email_verified,
    }),
    // All calls of this API are POST requests; one without parameters must have no body.
    ({ post }) => post(),
  ),
})
