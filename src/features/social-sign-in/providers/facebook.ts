/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
import { z } from 'zod'
import { provider } from '../provider.ts'
import { firstText, membersOf } from '../reading.ts'

export const facebook = provider({
  name: 'Facebook',
  registrationURL: 'https://developers.facebook.com/apps',
  emails: 'unverified',
  authorizationEndpoint: 'https://www.facebook.com/v21.0/dialog/oauth',
  tokenEndpoint: 'https://graph.facebook.com/oauth/access_token',
  refreshEndpoint: 'https://graph.facebook.com/v18.0/oauth/access_token',
  userInfoEndpoint: 'https://graph.facebook.com/me',
  issuer: 'https://www.facebook.com',
  jwksUri: 'https://www.facebook.com/.well-known/oauth/openid/jwks',
  scopes: { email: 'Read the email address', public_profile: 'Read the profile' },
  // Documented only together with the scope `openid`, and as still in testing.
  pkce: false,
  loginHint: true,
  options: {
    configId: z.string().min(1).optional().describe('ID of a configuration of Facebook Login for Business'),
    fields: z.array(z.string().min(1)).default([]).describe('Fields of the user to fetch in addition to the usual ones'),
  },
  parameters: ({ options }) => ({ config_id: options.configId }),
  idTokenSignIn: true,
  profile: async (request) => {
    // Limited Login on iOS, whose access tokens cannot be used, and sign-in with the scope `openid`.
    if (request.claims) {
      const { sub: id, name, email, picture: image } = request.claims
      // An ID token contains only an email address that the user has confirmed.
      const profile = { id, name, email, image, emailVerified: true }
      return { profile, data: request.claims }
    }
    const fields = ['id', 'name', 'email', 'picture', ...request.options.fields]
    const sent = await request.get(`${request.endpoints.userInfoEndpoint}?fields=${encodeURIComponent(fields.join(','))}`)
    const { id, name, email, picture, email_verified } = membersOf(sent)
    const image = firstText(membersOf(membersOf(picture).data).url, picture)
    // The Graph API has no such field as `email_verified`, so that it is false unless Facebook adds it.
    const profile = { id, name, email, image, emailVerified: email_verified }
    return { profile, data: Object(sent) }
  },
})
