/** What each version of better-auth 1 added to the calls of the version before, and why Latchkey does not serve some of them. */

export interface WireVersion {
  readonly version: string
  /** The newest release that was compared. */
  readonly release: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** 1.2 is the version of the contract: its calls are read from the installed package, as those of the last version are. */
export const firstVersion = { version: '1.2', release: '1.2.12' }

export const wireHistory: readonly WireVersion[] = [
  {
    version: '1.3',
    release: '1.3.34',
    added: [
      ...[
        'GET /admin/get-user',
        'POST /admin/update-user',
        'POST /email-otp/check-verification-otp',
        'POST /is-username-available',
      ],
      ...['POST /device/code', 'POST /device/token', 'GET /device', 'POST /device/approve', 'POST /device/deny'],
      ...['POST /siwe/nonce', 'POST /siwe/verify', 'GET /.well-known/oauth-protected-resource'],
      ...[
        'GET /organization/list-members',
        'GET /organization/list-user-invitations',
        'GET /organization/get-active-member-role',
      ],
      ...['POST /organization/add-team-member', 'POST /organization/remove-team-member', 'POST /organization/set-active-team'],
      ...['GET /organization/list-user-teams', 'GET /organization/list-team-members'],
      ...['GET /organization/list-roles', 'GET /organization/get-role', 'POST /organization/create-role'],
      ...['POST /organization/update-role', 'POST /organization/delete-role'],
    ],
    removed: [],
  },
  {
    version: '1.4',
    release: '1.4.22',
    added: [
      ...['POST /verify-password', 'GET /account-info', 'POST /delete-anonymous-user', 'POST /email-otp/request-password-reset'],
      ...['GET /passkey/generate-authenticate-options', 'GET /oauth2/endsession', 'POST /oauth2/endsession'],
    ],
    removed: [
      ...['POST /forget-password', 'POST /account-info', 'POST /phone-number/forget-password'],
      'POST /passkey/generate-authenticate-options',
    ],
  },
  {
    version: '1.5',
    release: '1.5.6',
    added: [
      ...['POST /get-session', 'POST /update-session', 'POST /email-otp/request-email-change', 'POST /email-otp/change-email'],
    ],
    removed: [],
  },
  { version: '1.6', release: '1.6.34', added: ['GET /oauth-popup/start', 'POST /siwe/get-nonce'], removed: [] },
  {
    version: '1.7',
    release: '1.7.25',
    added: ['GET /organization/get-organization', 'GET /callback/:id/oauth-proxy'],
    removed: [
      ...['POST /sign-in/oauth2', 'POST /oauth2/link', 'GET /oauth2/callback/:providerId'],
      ...['GET /oauth2/authorize', 'POST /oauth2/consent', 'POST /oauth2/token', 'GET /oauth2/userinfo', 'POST /oauth2/register'],
      ...['GET /oauth2/client/:id', 'GET /oauth2/endsession', 'POST /oauth2/endsession', 'GET /.well-known/openid-configuration'],
      ...['GET /mcp/authorize', 'POST /mcp/token', 'POST /mcp/register', 'GET /mcp/get-session'],
      ...['GET /.well-known/oauth-authorization-server', 'GET /.well-known/oauth-protected-resource'],
    ],
  },
]

/** Plugins none of whose calls are served, and why. */
export const pluginsLeftOut: Readonly<Record<string, string>> = {
  deviceAuthorization: 'sign-in of devices without a keyboard (RFC 8628) belongs to an OAuth server, which Latchkey is not yet',
  mcp: 'Latchkey is not an OAuth server yet; 1.7 moved it to a package of its own',
  oidcProvider: 'the same',
  oAuthProxy:
    'it lets preview deployments borrow the redirect URI of production; register their URI, or use `socialProviders.<id>.redirectURI`',
  oauthPopup: 'it signs in within frames of other sites, where browsers block cookies; use a redirect',
  oneTap: 'pass the credential of Google One Tap to `POST /sign-in/social` as `idToken.token`',
  siwe: 'no sign-in with Ethereum',
}

/** Calls that are not served although their plugin is, and why. */
export const callsLeftOut: Readonly<Record<string, string>> = {
  'POST /get-session': 'clients send it only when a response has `needsRefresh`, which only `deferSessionRefresh` of 1.5 adds',
}
