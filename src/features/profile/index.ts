/** Lets users update their name, image and additional fields. */
import { z } from 'zod'
import { ApiError, defineErrors } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { Feature } from '../../core/feature.ts'
import { session } from '../../core/permissions.ts'
import type { CallContext } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { longText } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { write } from '../../core/write.ts'
import { fieldRequired } from '../custom-fields/index.ts'
import type { Config } from '../index.ts'
import { reissueSession } from '../sessions/index.ts'
import { imageURL, readUserFields, updateUserFields, errors as userErrors, userFieldShape, userUpdate } from '../users/index.ts'

export const area = 'User profile'

export const errors = defineErrors({
  EMAIL_CAN_NOT_BE_UPDATED: [400, 'Email can not be updated'],
})

const profileUpdate = z.object({
  name: longText.optional(),
  image: imageURL.nullable().optional(),
  email: z.unknown().optional(),
})

/** @returns false when the body has no field that can be updated */
async function updateProfile(ctx: CallContext, userId: string, body: z.output<typeof profileUpdate>): Promise<boolean> {
  const { name, image, email: _, ...more } = body
  const columns = {
    ...(name !== undefined && { name }),
    ...(image !== undefined && { image }),
    ...(await readUserFields(ctx, more, 'update')),
  }
  if (Object.keys(columns).length === 0) return false
  return write(ctx, [userUpdate(ctx, columns)], (tx, draft) => updateUserFields(tx, userId, draft)).catch(
    async (error: unknown) => {
      if (!ctx.database.isUniqueViolation(error)) throw error
      await emit(ctx, 'user.conflicting', { userId, columns })
      throw new ApiError(userErrors.FAILED_TO_UPDATE_USER, { cause: error })
    },
  )
}

export const routes = {
  'POST /update-user': route({
    summary: 'Update the user',
    description:
      'Changes the name, the image and custom fields of the current user. Fields that are left out stay unchanged. Fails when a value is invalid, or when `email` is given: use `/change-email` for it.',
    access: session(),
    stepUp: 'by-input',
    whileImpersonating: 'allowed',
    body: (config: Config, _tables: Tables, features: readonly Feature[]) =>
      profileUpdate.extend(userFieldShape(config, features, 'update')),
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.EMAIL_CAN_NOT_BE_UPDATED, userErrors.FAILED_TO_UPDATE_USER, fieldRequired('<field>')],
    handler: async (ctx) => {
      if (ctx.body.email) throw new ApiError(errors.EMAIL_CAN_NOT_BE_UPDATED)
      const isUpdated = await updateProfile(ctx, ctx.user.id, ctx.body)
      if (isUpdated) await reissueSession(ctx, ctx.session)
      return { status: true as const }
    },
  }),
}
