/** https://docs.gitlab.com/api/oauth2/ */
import { z } from 'zod'
import { endpointURL, idText, maybeText, profileFromUserInfo, provider } from '../provider.ts'

const user = z.looseObject({
  id: idText,
  username: z.string(),
  name: maybeText,
  email: maybeText,
  avatar_url: maybeText,
  state: z.string(),
  locked: z.boolean().optional(),
  confirmed_at: maybeText,
})

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
  profile: profileFromUserInfo(user, ({ id, username, name, email, avatar_url, state, locked, confirmed_at }) => {
    if (state !== 'active' || locked) return null
    return {
      id,
      name: name || username,
      email: email ?? null,
      image: avatar_url,
      // Instances with "soft" email confirmation let users in before: their `confirmed_at` is null.
      emailVerified: confirmed_at !== null,
    }
  }),
})
