/** https://dev.twitch.tv/docs/authentication/getting-tokens-oidc */
import { z } from 'zod'
import { profileFromClaims, provider } from '../provider.ts'

export const twitch = provider({
  name: 'Twitch',
  registrationURL: 'https://dev.twitch.tv/console/apps',
  emails: 'reported',
  authorizationEndpoint: 'https://id.twitch.tv/oauth2/authorize',
  tokenEndpoint: 'https://id.twitch.tv/oauth2/token',
  issuer: 'https://id.twitch.tv/oauth2',
  jwksUri: 'https://id.twitch.tv/oauth2/keys',
  scopes: { 'user:read:email': 'Read the email address', openid: 'Identify the user' },
  // Its documentation has no PKCE, and the nonce.
  pkce: false,
  nonce: true,
  options: {
    claims: z
      .array(z.string().min(1))
      .default(['preferred_username', 'picture'])
      .describe('Claims to request in the ID token, in addition to the email address'),
  },
  // An ID token has only the claims that are requested.
  parameters: ({ options }) => {
    const names = ['email', 'email_verified', ...options.claims]
    return { claims: JSON.stringify({ id_token: Object.fromEntries(names.map((name) => [name, null])) }) }
  },
  profile: profileFromClaims(({ sub, preferred_username, email, picture, email_verified }) => ({
    id: sub,
    name: preferred_username,
    email,
    image: picture,
    emailVerified: email_verified,
  })),
})
