/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
import { profileFromUserInfo, provider } from '../provider.ts'

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
  profile: profileFromUserInfo(({ sub, name, email, email_verified, picture }) => ({
    id: sub,
    name,
    email,
    image: picture,
    // Optional, and only documented as `true` together with `email`.
    emailVerified: email_verified,
  })),
})
