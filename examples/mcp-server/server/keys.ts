/** Finds the user of an API key by a call of Latchkey: a revoked key is rejected with the next request. */
import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'

export interface KeyOwner {
  readonly id: string
  readonly name: string
}

const lifetimeSeconds = 60

/**
 * @param baseURL address of the API of Latchkey
 * @returns what `requireBearerAuth` of the MCP SDK calls for the token of each request
 */
export function createKeyVerifier(baseURL: string) {
  return {
    verifyAccessToken: async (token: string): Promise<AuthInfo> => {
      const owner = await findOwner(baseURL, token)
      if (!owner) throw new OAuthError(OAuthErrorCode.InvalidToken, 'The API key is invalid, or has expired')
      // The SDK demands an expiry. This one is never used: each request is verified.
      const expiresAt = Math.floor(Date.now() / 1000) + lifetimeSeconds
      return { token, clientId: owner.id, scopes: [], expiresAt, extra: { owner } }
    },
  }
}

/** @throws Error when Latchkey does not respond: the key may be valid */
async function findOwner(baseURL: string, key: string): Promise<KeyOwner | null> {
  const response = await fetch(`${baseURL}/get-session`, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(5000) })
  if (response.status === 401 || response.status === 403) return null
  if (!response.ok) throw new Error(`Latchkey responded with status ${response.status}`)
  const found = (await response.json()) as { user: KeyOwner } | null
  return found && { id: found.user.id, name: found.user.name }
}

/** The owner of the key of a request. @throws Error for a request that was not verified */
export function ownerOf(authInfo: AuthInfo | undefined): KeyOwner {
  const owner = authInfo?.extra?.owner
  if (!owner) throw new Error('The request was not verified')
  return owner as KeyOwner
}
