/** A function of the configuration that decides what `/get-session` returns (contract 06 §17). */
import type { z } from 'zod'
import { callback } from '../../core/config.ts'
import { isReply, type RawJson, rawJson } from '../../core/reply.ts'
import type { CallContext } from '../../core/request.ts'
import { isObject } from '../../lib/objects.ts'
import type { Config } from '../index.ts'
import type { fullSession } from '../sessions/index.ts'
import type { fullUser } from '../users/index.ts'

/** Session and user as `/get-session` returns them otherwise; times are ISO 8601 strings. */
export interface CurrentSession {
  readonly session: z.output<ReturnType<typeof fullSession>> & Readonly<Record<string, unknown>>
  readonly user: z.output<ReturnType<typeof fullUser>> & Readonly<Record<string, unknown>>
}

/** Makes the body of `/get-session`. */
export type CustomSession = (current: CurrentSession) => object | Promise<object>

export const config = {
  customSession: callback<CustomSession>()
    .optional()
    .describe('Returns the body of `/get-session` for a session and its user; without a session, the body is `null`'),
}

export const enabled = ({ customSession }: Config): boolean => customSession !== undefined

export const after = {
  /** @throws TypeError when the function returns no object */
  'GET /get-session': async (ctx: CallContext, result: unknown): Promise<RawJson | undefined> => {
    // The hosted pages need session and user.
    if (ctx.request.queryParameters().get('disableCustomSession') === 'true') return undefined
    const shown = isReply(result) && result.kind === 'json' ? (result.value as CurrentSession | null) : null
    if (!shown) return undefined
    const body: unknown = await ctx.config.customSession?.(shown)
    if (!isObject(body) || Array.isArray(body)) throw new TypeError('customSession must return an object')
    return rawJson(body)
  },
}
