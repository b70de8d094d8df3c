/** https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const user = z.looseObject({
  account_id: z.string(),
  name: maybeText,
  email: maybeText,
  email_verified: z.boolean().optional(),
  picture: maybeText,
  account_status: maybeText,
})

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
  profile: profileFromUserInfo(user, ({ account_id, name, email, email_verified, picture, account_status }) => {
    // `inactive` or `closed`: the organization has deactivated the user.
    if (account_status && account_status !== 'active') return null
    return {
      id: account_id,
      name: name ?? '',
      email: email ?? null,
      image: picture,
      emailVerified: email_verified ?? false,
    }
  }),
})
