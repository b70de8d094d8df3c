/** https://developers.google.com/identity/openid-connect/openid-connect */
import { z } from 'zod'
import { maybeText, provider } from '../provider.ts'

const googleClaims = z.looseObject({
  sub: z.string(),
  name: maybeText,
  email: maybeText,
  picture: maybeText,
  email_verified: z.boolean().optional(),
  hd: maybeText,
})

/** `*` stands for any organization. Personal accounts have no such claim. */
const isOfDomain = (claimed: string | null | undefined, domain: string): boolean =>
  Boolean(claimed) && (domain === '*' || claimed?.toLowerCase() === domain.toLowerCase())

export const google = provider({
  name: 'Google',
  registrationURL: 'https://console.cloud.google.com/auth/clients',
  emails: 'reported',
  authorizationEndpoint: 'https://accounts.google.com/o/oauth2/auth',
  tokenEndpoint: 'https://oauth2.googleapis.com/token',
  refreshEndpoint: 'https://www.googleapis.com/oauth2/v4/token',
  issuer: 'https://accounts.google.com',
  jwksUri: 'https://www.googleapis.com/oauth2/v3/certs',
  scopes: { email: 'Read the email address', profile: 'Read the profile', openid: 'Identify the user' },
  pkce: true,
  loginHint: true,
  options: {
    accessType: z.enum(['online', 'offline']).optional().describe('`offline` requests a refresh token'),
    display: z.enum(['page', 'popup', 'touch', 'wap']).optional().describe('How Google displays its pages'),
    hd: z.string().optional().describe('Domain of the Google Workspace organization to sign in with'),
  },
  parameters: ({ options }) => ({
    access_type: options.accessType,
    display: options.display,
    hd: options.hd,
    include_granted_scopes: 'true',
  }),
  idTokenSignIn: true,
  // Both forms are documented.
  issuers: (_, { endpoints }) => [endpoints.issuer ?? '', 'accounts.google.com'],
  profile: async ({ claims, options }) => {
    if (!claims) return null
    const { sub, name, email, picture, email_verified, hd } = googleClaims.parse(claims)
    // The parameter only preselects: users can change it.
    if (options.hd !== undefined && !isOfDomain(hd, options.hd)) return null
    const profile = { id: sub, name: name ?? '', email: email ?? null, image: picture, emailVerified: email_verified ?? false }
    return { profile, data: claims }
  },
})
