/** https://docs.slack.dev/authentication/sign-in-with-slack */
import { z } from 'zod'
import { provider } from '../provider.ts'
import { firstText } from '../reading.ts'

export const slack = provider({
  name: 'Slack',
  registrationURL: 'https://api.slack.com/apps',
  requiresHTTPS: true,
  emails: 'reported',
  authorizationEndpoint: 'https://slack.com/openid/connect/authorize',
  tokenEndpoint: 'https://slack.com/api/openid.connect.token',
  issuer: 'https://slack.com',
  jwksUri: 'https://slack.com/openid/connect/keys',
  scopes: { openid: 'Identify the user', profile: 'Read the profile', email: 'Read the email address' },
  // Slack documents no PKCE for this endpoint. The nonce protects the code too.
  pkce: false,
  nonce: true,
  options: {
    team: z.string().min(1).optional().describe('ID of the only Slack workspace whose members can sign in'),
  },
  parameters: ({ options }) => ({ team: options.team }),
  profile: async ({ claims, options }) => {
    if (!claims) return null
    const { sub: id, name, email, email_verified: emailVerified, picture } = claims
    // The parameter only preselects a workspace: users can choose another one.
    if (options.team !== undefined && options.team !== claims['https://slack.com/team_id']) return null
    const image = firstText(picture, claims['https://slack.com/user_image_512'])
    return { profile: { id, name, email, image, emailVerified }, data: claims }
  },
})
