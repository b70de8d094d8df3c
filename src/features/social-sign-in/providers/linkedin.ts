/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const userInfo = z.looseObject({
  sub: z.string(),
  name: maybeText,
  email: maybeText,
  // Optional, and only documented as `true` together with `email`.
  email_verified: z.boolean().optional(),
  picture: maybeText,
})

export const linkedin = provider({
  name: 'LinkedIn',
  registrationURL: 'https://www.linkedin.com/developers/apps',
  emails: 'reported',
  authorizationEndpoint: 'https://www.linkedin.com/oauth/v2/authorization',
  tokenEndpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
  userInfoEndpoint: 'https://api.linkedin.com/v2/userinfo',
  scopes: { profile: 'Read the profile', email: 'Read the email address', openid: 'Identify the user' },
  // LinkedIn has PKCE only for native apps, which have no client secret and another authorization endpoint.
  pkce: false,
  loginHint: true,
  profile: profileFromUserInfo(userInfo, ({ sub, name, email, email_verified, picture }) => ({
    id: sub,
    name: name ?? '',
    email: email ?? null,
    image: picture,
    emailVerified: email_verified ?? false,
  })),
})
