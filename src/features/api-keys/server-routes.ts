/** The calls for API keys that only servers of the operator make (contract 06 §1). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { server } from '../../core/permissions.ts'
import type { CallContext } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isInSet } from './key-sets.ts'
import { deleteExpired } from './keys.ts'
import { type ApiKeyRow, describeKey, errors, keyView, updateFailed } from './model.ts'
import { configId, permissions } from './schemas.ts'
import { useKey } from './use.ts'

const shownError = z.object({
  message: z.string().meta({ examples: ['API Key is disabled'] }),
  code: z.string().meta({ examples: ['KEY_DISABLED'] }),
  details: z.object({ tryAgainIn: z.int().describe('In milliseconds') }).optional(),
})

const verified = z.object({ key: z.string(), permissions: permissions.optional(), configId })
type Verified = z.output<typeof verified>

/** A text that cannot be a key has another code here than in a header (contract 06 §1). */
async function verifyKey(app: CallContext, { key, permissions: required, configId: set }: Verified) {
  const refuse = (row: ApiKeyRow) => (set === undefined || isInSet(row, set) ? null : errors.INVALID_API_KEY)
  const used = await useKey(app, key, { required, refuse })
  if (!('error' in used)) return { valid: true, error: null, key: describeKey(app, used.key) }
  const { error, details, userId } = used
  Object.assign(app.subject, { hasFailed: true, ...(userId !== undefined && { userId }) })
  const code = error.status === 403 ? errors.KEY_NOT_FOUND.code : error.code
  return { valid: false, error: { message: error.message, code, ...(details && { details }) }, key: null }
}

export const serverRoutes = {
  'POST /api-key/verify': route({
    summary: 'Verify an API key',
    description:
      'Verifies an API key and counts its use. Returns whether it is valid, with the key or the reason. With `permissions`, the key must have them all, and with `configId` it must be of this set. Only on the private listener, for servers of the operator.',
    access: server(),
    body: verified,
    returns: z.object({ valid: z.boolean(), error: shownError.nullable(), key: keyView.nullable() }),
    errors: [updateFailed],
    handler: (ctx) => verifyKey(ctx, ctx.body),
  }),
  'POST /api-key/delete-all-expired-api-keys': route({
    summary: 'Delete all expired API keys',
    description:
      'Deletes the expired API keys of all users immediately. A job does the same every few minutes. Only on the private listener.',
    access: server(),
    returns: z.object({ success: z.boolean(), error: z.null() }),
    handler: async (ctx: App) => {
      await deleteExpired(ctx)
      return { success: true, error: null }
    },
  }),
}
