/** API keys as a credential: a request with a key is one of its owner. */
import { type App, memo } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import type { CallContext, Identity, PresentedCredential, SessionView } from '../../core/request.ts'
import { isObject } from '../../lib/objects.ts'
import { keySets, setOf } from './key-sets.ts'
import { holdKey } from './keys.ts'
import { type ApiKeyRow, errors, permissionsOf } from './model.ts'
import { useKey } from './use.ts'

/** The sets whose keys are credentials, with the names of their headers in lower case. Most installations have one. */
const sources = memo((app: Pick<App, 'config' | 'memo'>) =>
  keySets(app)
    .filter(({ disableSessionForAPIKeys }) => !disableSessionForAPIKeys)
    .map(({ configId, customAPIKeyGetter, apiKeyHeaders }) => ({
      ...{ configId, customAPIKeyGetter },
      headers: [apiKeyHeaders].flat().map((name) => name.toLowerCase()),
    })),
)
type Source = ReturnType<typeof sources>[number]

/** The key that a request has for a set, as it was sent; of any type when a function of the configuration finds it. */
function readFrom({ request }: CallContext, { customAPIKeyGetter, headers }: Source): unknown {
  if (customAPIKeyGetter) {
    const get = (name: string) => request.header(name.toLowerCase()) ?? null
    return customAPIKeyGetter({ method: request.method, path: request.path, headers: { get } })
  }
  return headers.map((name) => request.header(name)).find(Boolean)
}

const isPresent = (presented: unknown): boolean => presented !== undefined && presented !== null && presented !== ''

interface Presented {
  readonly value: unknown
  readonly configId: string
}

/** The first key of the request. */
function readKey(ctx: CallContext): Presented | null {
  for (const source of sources(ctx)) {
    const value = readFrom(ctx, source)
    if (isPresent(value)) return { value, configId: source.configId }
  }
  return null
}

/** Whether the request may have a key. Most have none, and each call asks. */
export const presentsKey = (ctx: CallContext): boolean =>
  sources(ctx).some((source) => source.customAPIKeyGetter !== undefined || isPresent(readFrom(ctx, source)))

/** Why a key does not count as a credential here: its set reads keys elsewhere, or an organization owns it, and only users have sessions. */
function refuse(ctx: CallContext, { value, configId }: Presented, row: ApiKeyRow): ErrorEntry | null {
  const set = setOf(ctx, row.configId)
  const isSentFor = (source: Source) => source.configId === set.configId && readFrom(ctx, source) === value
  if (set.configId !== configId && !sources(ctx).some(isSentFor)) return errors.INVALID_API_KEY
  return row.userId === null ? errors.INVALID_REFERENCE_ID_FROM_API_KEY : null
}

/**
 * The session of a key, as responses show it. It has the start in place of the key, and counts as authenticated long ago: a key is no
 * proof that its owner is present.
 */
function sessionOf(ctx: CallContext, { id, start, expiresAt }: ApiKeyRow, userId: string): SessionView {
  const now = ctx.now()
  return {
    ...{ id, userId, token: start ?? id, createdAt: now, updatedAt: now, authenticatedAt: new Date(0) },
    expiresAt: expiresAt ?? new Date(now.getTime() + ctx.config.session.expiresIn * 1000),
    ipAddress: ctx.request.address(),
    userAgent: ctx.request.header('user-agent') ?? null,
  }
}

async function verify(ctx: CallContext, presented: Presented): Promise<Identity> {
  const { value } = presented
  if (typeof value !== 'string') throw new ApiError(errors.API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING)
  const used = await useKey(ctx, value, { refuse: (row) => refuse(ctx, presented, row) })
  if ('error' in used) {
    if (used.userId !== undefined) ctx.subject.userId = used.userId
    throw new ApiError(used.error, isObject(used.details) ? { details: { ...used.details } } : {})
  }
  const { key, user } = used
  if (!user) throw new ApiError(errors.INVALID_REFERENCE_ID_FROM_API_KEY)
  const credential = { kind: 'api-key', id: key.id, permissions: permissionsOf(key) ?? {} } as const
  return { session: sessionOf(ctx, key, user.id), user, credential, hold: (tx) => holdKey(tx, key.id, user.id) }
}

export function authenticate(ctx: CallContext): PresentedCredential | null {
  const presented = readKey(ctx)
  if (!presented) return null
  const secret = typeof presented.value === 'string' ? { secret: presented.value } : {}
  return { kind: 'api-key', sessionToken: null, ...secret, verify: () => verify(ctx, presented) }
}
