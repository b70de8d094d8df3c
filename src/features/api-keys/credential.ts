/** API keys as a credential: a request with a key is one of its owner. */
import { type App, memo } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, Identity, PresentedCredential, SessionView } from '../../core/request.ts'
import { isObject } from '../../lib/objects.ts'
import { holdKey } from './keys.ts'
import { type ApiKeyRow, errors, permissionsOf } from './model.ts'
import { useKey } from './use.ts'

/** In lower case. */
const headerNames = memo(({ config }: Pick<App, 'config' | 'memo'>) =>
  [config.apiKey.apiKeyHeaders].flat().map((name) => name.toLowerCase()),
)

const sentKey = (ctx: CallContext): string | undefined =>
  headerNames(ctx)
    .map((name) => ctx.request.header(name))
    .find(Boolean)

/** The key of a request as it was sent; of any type when a function of the configuration finds it. */
function readKey(ctx: CallContext): unknown {
  const { config, request } = ctx
  const { customAPIKeyGetter } = config.apiKey
  if (customAPIKeyGetter) {
    const get = (name: string) => request.header(name.toLowerCase()) ?? null
    return customAPIKeyGetter({ method: request.method, path: request.path, headers: { get } })
  }
  return sentKey(ctx)
}

/** Whether the request may have a key. Most have none, and each call asks. */
export const presentsKey = (ctx: CallContext): boolean =>
  ctx.config.apiKey.customAPIKeyGetter !== undefined || sentKey(ctx) !== undefined

/**
 * The session of a key, as responses show it. It has the start in place of the key, and counts as authenticated long ago: a key is no
 * proof that its owner is present.
 */
function sessionOf(ctx: CallContext, { id, start, userId, expiresAt }: ApiKeyRow): SessionView {
  const now = ctx.now()
  return {
    ...{ id, userId, token: start ?? id, createdAt: now, updatedAt: now, authenticatedAt: new Date(0) },
    expiresAt: expiresAt ?? new Date(now.getTime() + ctx.config.session.expiresIn * 1000),
    ipAddress: ctx.request.address(),
    userAgent: ctx.request.header('user-agent') ?? null,
  }
}

async function verify(ctx: CallContext, presented: unknown): Promise<Identity> {
  if (typeof presented !== 'string') throw new ApiError(errors.API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING)
  const used = await useKey(ctx, presented)
  if ('error' in used) {
    if (used.userId !== undefined) ctx.subject.userId = used.userId
    throw new ApiError(used.error, isObject(used.details) ? { details: { ...used.details } } : {})
  }
  const { key, user } = used
  const credential = { kind: 'api-key', id: key.id, permissions: permissionsOf(key) ?? {} } as const
  return { session: sessionOf(ctx, key), user, credential, hold: (tx) => holdKey(tx, key) }
}

export function authenticate(ctx: CallContext): PresentedCredential | null {
  if (ctx.config.apiKey.disableSessionForAPIKeys) return null
  const presented = readKey(ctx)
  if (presented === undefined || presented === null || presented === '') return null
  const secret = typeof presented === 'string' ? { secret: presented } : {}
  return { kind: 'api-key', sessionToken: null, ...secret, verify: () => verify(ctx, presented) }
}
