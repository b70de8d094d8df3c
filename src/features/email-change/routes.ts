import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { route } from '../../core/route.ts'
import { callbackURL, emailAddress } from '../../core/schemas.ts'
import { errors as verificationErrors } from '../email-verification/index.ts'
import { reissueSession } from '../sessions/index.ts'
import { changeEmail } from './change.ts'
import { errors } from './errors.ts'

export const routes = {
  'POST /change-email': route({
    summary: 'Change the address of the caller',
    access: 'session',
    body: z.object({ newEmail: emailAddress, callbackURL: callbackURL.optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [...Object.values(errors), verificationErrors.VERIFICATION_EMAIL_ISNT_ENABLED],
    handler: async (ctx) => {
      if (!ctx.config.user.changeEmail.enabled) throw new ApiError(errors.CHANGE_EMAIL_IS_DISABLED)
      const newEmail = ctx.body.newEmail.toLowerCase()
      const user = await changeEmail(ctx, ctx.user, { newEmail, callbackURL: ctx.body.callbackURL })
      if (user) await reissueSession(ctx, { session: ctx.session, user })
      return { status: true as const }
    },
  }),
}
