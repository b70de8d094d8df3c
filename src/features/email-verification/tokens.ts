import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { signJWT, verifyJWT } from '../../lib/jwt.ts'

interface EmailClaims {
  readonly email: string
  /** The address that takes the place of `email`. */
  readonly updateTo?: string
}

export interface EmailToken extends EmailClaims {
  /** Under which its use is remembered; not secret. */
  readonly name: string
  readonly expiresAt: Date
}

const claimsSchema = z.object({
  email: z.string(),
  updateTo: z.string().optional(),
  exp: z.number(),
  jti: z.unknown().optional(),
})

/** The token of an e-mail link (contract 00 §9): signed by the secret itself, as the wire has it. @param expiresIn seconds */
export function createEmailToken(app: App, { email, updateTo }: EmailClaims, expiresIn: number): Promise<string> {
  const [key] = app.keyring.rawKeys()
  if (!key) throw new Error('A keyring has a key')
  const claims = { email: email.toLowerCase(), ...(updateTo !== undefined && { updateTo }), jti: app.random.token(24) }
  return signJWT(claims, { key, issuedAt: app.now(), expiresIn })
}

/** @returns what the token says, or why it says nothing, as a redirect names it */
export async function readEmailToken(
  app: App,
  token: string,
): Promise<EmailToken | { readonly fault: 'token_expired' | 'invalid_token' }> {
  const verified = await verifyJWT(token, app.keyring.rawKeys(), app.now())
  if ('fault' in verified) return { fault: verified.fault === 'expired' ? 'token_expired' : 'invalid_token' }
  const claims = claimsSchema.safeParse(verified.claims)
  if (!claims.success) return { fault: 'invalid_token' }
  const { email, updateTo, exp, jti } = claims.data
  return {
    email,
    ...(updateTo !== undefined && { updateTo: updateTo.toLowerCase() }),
    name: nameOf(token, jti),
    expiresAt: new Date(exp * 1000),
  }
}

/** Links that were on their way when an installation moved over have no `jti`, and count by their signature. */
function nameOf(token: string, jti: unknown): string {
  if (typeof jti === 'string' && /^\w{16,58}$/.test(jti)) return jti
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return createHash('sha256').update(signature).digest('base64url')
}
