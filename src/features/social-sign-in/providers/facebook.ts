/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
import { z } from 'zod'
import { maybeText, provider } from '../provider.ts'

const user = z.looseObject({
  id: z.string(),
  name: maybeText,
  email: maybeText,
  picture: z.looseObject({ data: z.looseObject({ url: maybeText }).nullish() }).nullish(),
  email_verified: z.boolean().nullish(),
})
const claims = z.looseObject({ sub: z.string(), name: maybeText, email: maybeText, picture: maybeText })

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
      const { sub, name, email, picture } = claims.parse(request.claims)
      // An ID token contains only an email address that the user has confirmed.
      const profile = { id: sub, name: name ?? '', email: email ?? null, image: picture, emailVerified: Boolean(email) }
      return { profile, data: request.claims }
    }
    const fields = ['id', 'name', 'email', 'picture', ...request.options.fields]
    const sent = await request.get(`${request.endpoints.userInfoEndpoint}?fields=${encodeURIComponent(fields.join(','))}`)
    const { id, name, email, picture, email_verified } = user.parse(sent)
    const profile = {
      id,
      name: name ?? '',
      email: email ?? null,
      image: picture?.data?.url,
      // The Graph API has no such field, so that it is false unless Facebook adds it.
      emailVerified: email_verified ?? false,
    }
    return { profile, data: Object(sent) }
  },
})
