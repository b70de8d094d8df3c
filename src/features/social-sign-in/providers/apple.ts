/** https://developer.apple.com/documentation/signinwithapplerestapi */
import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { secret } from '../../../core/config.ts'
import { isObject } from '../../../lib/objects.ts'
import { maybeText, provider } from '../provider.ts'

const claims = z.looseObject({
  sub: z.string(),
  name: maybeText,
  email: maybeText,
  // A text in older tokens.
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
})

/** Apple posts the name only once, at the first sign-in of a user; its email address there is not signed, and not used. */
const posted = z.object({ name: z.object({ firstName: maybeText, lastName: maybeText }) })

function postedName(user: unknown): string {
  const { firstName, lastName } = posted.safeParse(user).data?.name ?? {}
  return [firstName, lastName].filter(Boolean).join(' ')
}

/** Environment variables often have `\n` in place of line breaks. */
const openKey = (pem: string) => createPrivateKey(pem.replaceAll('\\n', '\n'))

function isSigningKey(pem: string): boolean {
  try {
    return openKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** It is made for each request, so it needs to be valid only for the time that clocks may differ. */
const secretLifeMs = 300_000

export const apple = provider({
  name: 'Apple',
  registrationURL: 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
  // Not even for localhost.
  requiresHTTPS: true,
  emails: 'reported',
  authorizationEndpoint: 'https://appleid.apple.com/auth/authorize',
  tokenEndpoint: 'https://appleid.apple.com/auth/token',
  issuer: 'https://appleid.apple.com',
  jwksUri: 'https://appleid.apple.com/auth/keys',
  scopes: { email: 'Read the email address', name: 'Read the name at the first sign-in' },
  // Its documentation has no PKCE, and the nonce.
  pkce: false,
  nonce: true,
  responseType: 'code id_token',
  options: {
    appBundleIdentifier: z.string().min(1).optional().describe('Bundle ID of the app whose ID tokens are accepted'),
    teamId: z.string().min(1).optional().describe('Team ID, to make client secrets'),
    keyId: z.string().min(1).optional().describe('ID of the private key'),
    privateKey: secret(
      z.string().refine(isSigningKey, 'Expected the text of the .p8 file with an EC private key').optional(),
    ).describe('Text of the .p8 file that Apple provides, in place of `clientSecret`, which would expire after 6 months'),
  },
  clientSecretOptions: ['teamId', 'keyId', 'privateKey'],
  // https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
  clientSecret: ({ clientId = '', teamId = '', keyId = '', privateKey = '' }, now) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience('https://appleid.apple.com')
      .setIssuedAt(now)
      .setExpirationTime(new Date(now.getTime() + secretLifeMs))
      .sign(openKey(privateKey)),
  // Apple requires it for every request with scopes.
  parameters: () => ({ response_mode: 'form_post' }),
  idTokenSignIn: true,
  audiences: ({ appBundleIdentifier, clientId = '' }) => [appBundleIdentifier ?? clientId],
  maxTokenAge: 3600,
  profile: async (request) => {
    if (!request.claims) return null
    const { sub, name, email, email_verified } = claims.parse(request.claims)
    const profile = {
      id: sub,
      name: postedName(request.postedUser) || name || email || '',
      email: email ?? null,
      emailVerified: email_verified === true || email_verified === 'true',
    }
    const { postedUser } = request
    return { profile, data: { ...request.claims, ...(isObject(postedUser) && { user: postedUser }) } }
  },
})
