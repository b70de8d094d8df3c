/** The newest published client with its plugin for passkeys, which comes in a package of its own. */
export { passkeyClient } from '@better-auth/passkey/client'
export { createAuthClient } from 'better-auth/client'
export { twoFactorClient } from 'better-auth/client/plugins'
