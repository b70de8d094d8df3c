/** https://docs.slack.dev/authentication/sign-in-with-slack */
import { z } from 'zod'
import { maybeText, provider } from '../provider.ts'

const slackClaims = z.looseObject({
  sub: z.string(),
  name: maybeText,
  email: maybeText,
  email_verified: z.boolean().optional(),
  picture: maybeText,
  'https://slack.com/team_id': maybeText,
  'https://slack.com/user_image_512': maybeText,
})

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
    const data = slackClaims.parse(claims)
    // The parameter only preselects a workspace: users can choose another one.
    if (options.team !== undefined && options.team !== data['https://slack.com/team_id']) return null
    const profile = {
      id: data.sub,
      name: data.name ?? '',
      email: data.email ?? null,
      image: data.picture ?? data['https://slack.com/user_image_512'],
      emailVerified: data.email_verified ?? false,
    }
    return { profile, data }
  },
})
