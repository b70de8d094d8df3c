/** The newest published client with its plugins for API keys and passkeys, which come in packages of their own. */
export { apiKeyClient } from '@better-auth/api-key/client'
export { passkeyClient } from '@better-auth/passkey/client'
export { createAuthClient } from 'better-auth/client'
export { organizationClient, twoFactorClient } from 'better-auth/client/plugins'
