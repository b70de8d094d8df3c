/**
 * JSON Web Tokens of users for other services, which verify them with the published keys (contract 06 §2). Keys are rotated so that
 * a token verifies with the keys of any daemon: a key is published before it signs, and until the last of its tokens has expired.
 */
import { z } from 'zod'
import { reportFailure } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import { type Feature, type Job, settings } from '../../core/feature.ts'
import type { Gauges } from '../../core/gauges.ts'
import { anyone, session } from '../../core/permissions.ts'
import type { CallContext } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { adminRoutes } from './admin-routes.ts'
import { keySetMaxAge } from './config.ts'
import { publicJWK, readPublicKey } from './key-pairs.ts'
import { findSigningKey } from './key-states.ts'
import { publishedKeys, readKeyRows } from './keys.ts'
import { maintainKeys } from './rotation.ts'
import { currentOf, describeCurrent, discardTokens, reuseToken, signToken } from './tokens.ts'

export { describeKey, type SigningKeyView } from './admin-routes.ts'
export { checkConfig, config, enabled, tokenLifetime } from './config.ts'
export { importPrivateKey, openPrivateKeyText, sealPrivateKey, secretUses } from './key-pairs.ts'
export { tables } from './key-states.ts'
export { auditActions, errors, listKeys } from './keys.ts'
export { findKey, retireKey, rotateKeys } from './rotation.ts'

/** Whether there are signing keys that administrators see. */
export const publicSettings = settings({ jwt: z.boolean() }, ({ jwt }) => ({ jwt: jwt.enabled }))

export const area = 'JSON Web Tokens'

export const plugin = 'jwt'

export const permissions = { signingKey: ['list', 'rotate', 'retire'] } as const

export const jobs: Readonly<Record<'signingKeys', Job>> = { signingKeys: { every: 60, run: maintainKeys } }

export const gauges: Gauges = {
  declared: { signing_key_age_seconds: { help: 'Time since which the signing key signs; absent: there is none yet' } },
  read: async (app) => {
    const now = app.now()
    const signing = findSigningKey(await readKeyRows(app), now, () => true)
    if (!signing) return []
    return [{ name: 'signing_key_age_seconds', value: (now.getTime() - signing.activatesAt.getTime()) / 1000 }]
  },
}

/** A longer header would not fit into the buffers of common proxies together with the cookies. */
const longestHeader = 4096

/** A client that needs the token gets the reason from `/token`; the session itself is not affected. */
async function addToken(ctx: CallContext, result: unknown): Promise<void> {
  // As at `/token`.
  if (ctx.credential()?.kind === 'api-key') return
  try {
    const current = currentOf(result)
    if (!current) return
    const token = await reuseToken(ctx, current, longestHeader)
    if (token.length > longestHeader) {
      ctx.log.warn({ length: token.length }, 'The token is too long for the header set-auth-jwt')
      return
    }
    ctx.headers['set-auth-jwt'] = token
    // Present already for a trusted origin.
    ctx.headers['access-control-expose-headers'] ??= 'set-auth-jwt'
  } catch (error) {
    reportFailure(ctx, error, 'Signing a token')
  }
}

export const on: Listeners = {
  'sessions.revoked': (app, { sessionIds }) => discardTokens(app, sessionIds),
  'session-batch.revoked': (app, { sessions }) =>
    discardTokens(
      app,
      sessions.map(({ id }) => id),
    ),
}

export const after = { 'GET /get-session': addToken }

export const describe: NonNullable<Feature['describe']> = (_config, key) =>
  key === 'GET /get-session' ? { responseHeaders: { 'set-auth-jwt': 'A token as `/token` returns it, with a session' } } : null

/** The example is the key of RFC 8037, appendix A.2. */
const keySet = z.object({
  keys: z.array(publicJWK.extend({ kid: z.string(), alg: z.string(), use: z.literal('sig') })).meta({
    examples: [
      [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
          ...{ kid: 'q8Zt3VxLw2Rr8Yp5Xn1Bc7Md4Gh6Js0F', alg: 'EdDSA', use: 'sig' },
        },
      ],
    ],
  }),
})

export const routes = {
  ...adminRoutes,
  'GET /token': route({
    summary: 'Get a JSON Web Token',
    description:
      'Returns a signed token of the current user for other services. Its claims are the fields of the user as in `/get-session`, and `iss`, `aud`, `iat`, `exp` and `sub`; during an impersonation also `act`. `/get-session` returns such a token in the header `set-auth-jwt`. Not allowed with an API key.',
    access: session(),
    // Services that verify the token know nothing of the permissions and the limits of a key, or of its revocation.
    rejectsApiKeys: true,
    returns: z.object({ token: z.string() }),
    handler: async (ctx) => ({ token: await signToken(ctx, describeCurrent(ctx, ctx)) }),
  }),
  'GET /jwks': route({
    summary: 'Get the public keys',
    description:
      'Returns the JSON Web Key Set with which services verify tokens (RFC 7517). It contains the next key before it signs, and retired keys until their tokens have expired.',
    access: anyone(),
    returns: keySet,
    handler: async (ctx) => {
      const keys = await publishedKeys(ctx)
      ctx.headers['cache-control'] = `public, max-age=${keySetMaxAge}`
      return {
        keys: keys.map(({ row }) => ({ ...readPublicKey(row), kid: row.id, alg: row.algorithm, use: 'sig' as const })).reverse(),
      }
    },
  }),
}
