/** https://developers.google.com/identity/openid-connect/openid-connect */
import { z } from 'zod'
import { provider } from '../provider.ts'
import { firstText } from '../reading.ts'

/** `*` stands for any organization. Personal accounts have no such claim. */
const isOfDomain = (claimed: string, domain: string): boolean =>
  claimed !== '' && (domain === '*' || claimed.toLowerCase() === domain.toLowerCase())

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
    const { sub: id, name, email, picture: image, email_verified: emailVerified, hd } = claims
    // The parameter only preselects: users can change it.
    if (options.hd !== undefined && !isOfDomain(firstText(hd), options.hd)) return null
    return { profile: { id, name, email, image, emailVerified }, data: claims }
  },
})
