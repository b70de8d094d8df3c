/**
 * The tables of better-auth 1.2 to 1.7 as its own migrations make them (design of the move, sections 1.1 and 1.2). A column with `!` is
 * in each version and never null, so a table without it is another one.
 */

/** In the order in which they are copied: rows that others refer to come first. */
export const shapes = {
  user: 'id! name! email! emailVerified! image createdAt! updatedAt! role banned banReason banExpires username displayUsername phoneNumber phoneNumberVerified isAnonymous twoFactorEnabled',
  account:
    'id! accountId! providerId! userId! issuer accessToken refreshToken idToken accessTokenExpiresAt refreshTokenExpiresAt scope password createdAt! updatedAt!',
  organization: 'id! name! slug! logo createdAt! metadata',
  team: 'id! name! organizationId! createdAt! updatedAt memberCount',
  member: 'id! organizationId! userId! role! teamId createdAt!',
  teamMember: 'id! teamId! userId! membershipKey createdAt',
  organizationRole: 'id! organizationId! role! permission! createdAt updatedAt',
  invitation: 'id! organizationId! email! role teamId status! expiresAt! createdAt inviterId!',
  apikey:
    'id! key! name start prefix userId referenceId configId refillInterval refillAmount lastRefillAt enabled rateLimitEnabled rateLimitTimeWindow rateLimitMax requestCount remaining lastRequest expiresAt createdAt! updatedAt! permissions metadata',
  jwks: 'id! publicKey! privateKey! createdAt! expiresAt alg crv',
  twoFactor: 'id! secret! backupCodes userId! verified failedVerificationCount lockedUntil',
  passkey: 'id! name publicKey! userId! credentialID! counter! deviceType! backedUp! transports createdAt aaguid',
  session:
    'id! expiresAt! token! createdAt! updatedAt! ipAddress userAgent userId! activeOrganizationId activeTeamId impersonatedBy',
  verification: 'id! identifier! value! expiresAt! createdAt updatedAt',
} as const

export type KindName = keyof typeof shapes
export const kindNames = Object.keys(shapes) as readonly KindName[]

/** Without them it is not the database of better-auth. */
export const requiredKinds: readonly KindName[] = ['user', 'account']

/** Tables of better-auth of which nothing is copied, and why. */
export const leftTables: Readonly<Record<string, string>> = {
  rateLimit: 'counters start again',
  oauthApplication: 'Latchkey is not an OpenID provider for other apps yet',
  oauthClient: 'Latchkey is not an OpenID provider for other apps yet',
  oauthResource: 'Latchkey is not an OpenID provider for other apps yet',
  oauthClientResource: 'Latchkey is not an OpenID provider for other apps yet',
  oauthAccessToken: 'tokens of other apps end',
  oauthRefreshToken: 'tokens of other apps end',
  oauthConsent: 'Latchkey is not an OpenID provider for other apps yet',
  oauthClientAssertion: 'assertions live for minutes',
  ssoProvider: 'Latchkey has no single sign-on by organization yet',
}

export interface ShapeColumn {
  readonly name: string
  readonly required: boolean
}

export const columnsOfShape = (kind: KindName): readonly ShapeColumn[] =>
  shapes[kind].split(' ').map((text) => ({ name: text.replace('!', ''), required: text.endsWith('!') }))
