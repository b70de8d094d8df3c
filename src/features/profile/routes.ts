import { z } from 'zod'
import { afterUpdate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import type { CurrentIdentity } from '../../core/request.ts'
import { type Context, route } from '../../core/route.ts'
import { longText } from '../../core/schemas.ts'
import { transaction } from '../../core/transaction.ts'
import type { Config } from '../index.ts'
import { reissueSession } from '../sessions/index.ts'
import { draftUserUpdate, readUserFields, updateUser, errors as userErrors, userFieldShape } from '../users/index.ts'
import { errors } from './errors.ts'

const given = z.object({ name: longText.optional(), image: longText.nullable().optional(), email: z.unknown().optional() })

/** @returns the caller as he is now; null when nothing was asked for that may be written */
async function updateProfile(
  ctx: Context<unknown, z.output<typeof given>, unknown, 'session'>,
): Promise<CurrentIdentity['user'] | null> {
  const { name, image, email: _, ...more } = ctx.body
  const asked = {
    ...(name !== undefined && { name }),
    ...(image !== undefined && { image }),
    ...(await readUserFields(ctx, more, 'update')),
  }
  if (Object.keys(asked).length === 0) return null
  const columns = await draftUserUpdate(ctx, asked)
  const updated = await transaction(ctx, (app) => updateUser(app, ctx.user.id, columns)).catch((error: unknown) => {
    throw ctx.database.isUniqueViolation(error) ? new ApiError(userErrors.FAILED_TO_UPDATE_USER, { cause: error }) : error
  })
  if (updated) await afterUpdate(ctx, 'user', updated)
  return updated
}

export const routes = {
  'POST /update-user': route({
    summary: 'Change name, image and other fields of the caller',
    access: 'session',
    body: (config: Config) => given.extend(userFieldShape(config)),
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.EMAIL_CAN_NOT_BE_UPDATED, userErrors.FAILED_TO_UPDATE_USER],
    handler: async (ctx) => {
      if (ctx.body.email) throw new ApiError(errors.EMAIL_CAN_NOT_BE_UPDATED)
      const user = await updateProfile(ctx)
      if (user) await reissueSession(ctx, { session: ctx.session, user })
      return { status: true as const }
    },
  }),
}
