/** https://developer.apple.com/documentation/signinwithapplerestapi */
import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { secret } from '../../../core/config.ts'
import { isObject } from '../../../lib/objects.ts'
import { provider } from '../provider.ts'
import { clientIdsOf } from '../provider-options.ts'
import { firstText, membersOf } from '../reading.ts'

/** Apple posts the name only once, at the first sign-in of a user; its email address there is not signed, and not used. */
function postedName(user: unknown): string {
  const { firstName, lastName } = membersOf(membersOf(user).name)
  return [firstText(firstName), firstText(lastName)].filter(Boolean).join(' ')
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
  clientSecret: ({ clientId, teamId = '', keyId = '', privateKey = '' }, now) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientIdsOf({ clientId })[0] ?? '')
      .setAudience('https://appleid.apple.com')
      .setIssuedAt(now)
      .setExpirationTime(new Date(now.getTime() + secretLifeMs))
      .sign(openKey(privateKey)),
  // Apple requires it for every request with scopes.
  parameters: () => ({ response_mode: 'form_post' }),
  idTokenSignIn: true,
  audiences: ({ appBundleIdentifier = [], clientId }) => [appBundleIdentifier, ...clientIdsOf({ clientId })].flat(),
  maxTokenAge: 3600,
  profile: async (request) => {
    if (!request.claims) return null
    const { sub: id, name, email, email_verified: emailVerified } = request.claims
    const { postedUser } = request
    const profile = { id, name: firstText(postedName(postedUser), name, email), email, emailVerified }
    return { profile, data: { ...request.claims, ...(isObject(postedUser) && { user: postedUser }) } }
  },
})
