/** https://docs.gitlab.com/api/oauth2/ */
import { profileFromUserInfo, provider } from '../provider.ts'
import { endpointURL } from '../provider-options.ts'
import { firstText, isYes } from '../reading.ts'

export const gitlab = provider({
  name: 'GitLab',
  registrationURL: 'https://gitlab.com/-/user_settings/applications',
  emails: 'reported',
  issuer: 'https://gitlab.com',
  authorizationEndpoint: '{issuer}/oauth/authorize',
  tokenEndpoint: '{issuer}/oauth/token',
  userInfoEndpoint: '{issuer}/api/v4/user',
  scopes: { read_user: 'Read the profile and the email address' },
  pkce: true,
  loginHint: true,
  options: {
    issuer: endpointURL
      .max(255)
      // Part of the identity of its users, so that a slash must not make a difference.
      .overwrite((url) => url.replaceAll(/(?<!:)\/{2,}/g, '/').replace(/\/$/, ''))
      .optional()
      .describe('URL of a self-hosted instance'),
  },
  profile: profileFromUserInfo(({ id, username, name, email, avatar_url: image, state, locked, confirmed_at }) => {
    if (state !== 'active' || isYes(locked)) return null
    // Instances with "soft" email confirmation let users in before: their `confirmed_at` is null. Old ones do not send it.
    const emailVerified = confirmed_at === undefined || firstText(confirmed_at) !== ''
    return { id, name: firstText(name, username), email, image, emailVerified }
  }),
})
