/** https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ */
import { profileFromUserInfo, provider } from '../provider.ts'
import { firstText } from '../reading.ts'

export const atlassian = provider({
  name: 'Atlassian',
  registrationURL: 'https://developer.atlassian.com/console/myapps/',
  emails: 'reported',
  authorizationEndpoint: 'https://auth.atlassian.com/authorize',
  tokenEndpoint: 'https://auth.atlassian.com/oauth/token',
  userInfoEndpoint: 'https://api.atlassian.com/me',
  // `offline_access` in the option `scope` requests a refresh token.
  scopes: { 'read:me': 'Read the profile and the email address' },
  pkce: false,
  tokenRequestFormat: 'json',
  // Both are required.
  parameters: ({ options }) => ({ audience: 'api.atlassian.com', prompt: options.prompt ?? 'consent' }),
  profile: profileFromUserInfo(({ account_id, name, email, email_verified, picture, account_status }) => {
    // `inactive` or `closed`: the organization has deactivated the user.
    if (!['', 'active'].includes(firstText(account_status))) return null
    return { id: account_id, name, email, image: picture, emailVerified: email_verified }
  }),
})
