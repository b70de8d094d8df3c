/** A sign-in method as a feature of its own: a link to the email address of a user. */
import { z } from 'zod'
import { ApiError } from '../../../src/core/errors.ts'
import type { MailContent, MailKind } from '../../../src/core/message.ts'
import { anyone } from '../../../src/core/permissions.ts'
import { redirect } from '../../../src/core/reply.ts'
import { apiURL, route } from '../../../src/core/route.ts'
import { callbackURL } from '../../../src/core/schemas.ts'
import type { SignInMethod } from '../../../src/core/sign-in.ts'
import { sendMail } from '../../../src/features/outbox/index.ts'
import { signIn } from '../../../src/features/sessions/index.ts'
import { findUserByEmail, findUserById, typedEmail } from '../../../src/features/users/index.ts'
import { consumeVerification, createVerification, errors } from '../../../src/features/verifications/index.ts'

interface Link {
  readonly url: string
}

const purpose = 'magic-link'

export const signInMethod: SignInMethod = {
  name: purpose,
  isAvailable: (_, { emailVerified }) => emailVerified,
}

const contentOf = ({ url }: Link): MailContent => ({
  ...{ subject: 'Sign in', preheader: 'Sign in', heading: 'Sign in', paragraphs: [] },
  action: { label: 'Sign in', url },
})
const mail: MailKind<Link> = {
  kind: 'magic-link',
  toStrangers: true,
  content: () => contentOf,
  load: async () => {},
  example: () => ({ url: 'https://example.com' }),
}
export const mails = { [mail.kind]: mail }

export const routes = {
  'POST /sign-in/magic-link': route({
    summary: 'Send a magic link',
    access: anyone(),
    body: z.object({ email: typedEmail, callbackURL: callbackURL.optional() }),
    returns: z.object({ status: z.literal(true) }),
    handler: async (ctx) => {
      const user = await findUserByEmail(ctx, ctx.body.email)
      if (!user) return { status: true as const }
      const token = ctx.random.token(32)
      await createVerification(ctx, { purpose, token, value: user.id, expiresIn: 600 })
      const query = new URLSearchParams({ token, callbackURL: ctx.body.callbackURL ?? '/' })
      await sendMail(ctx, mail, user, { url: `${apiURL(ctx.config)}/magic-link/verify?${query}` })
      return { status: true as const }
    },
  }),
  'GET /magic-link/verify': route({
    summary: 'Sign in with a magic link',
    access: anyone(),
    signsIn: ['first-factor'],
    query: z.object({ token: z.string(), callbackURL }),
    callback: 'query',
    returns: z.never(),
    errors: [errors.INVALID_TOKEN],
    handler: async (ctx) => {
      const { token, callbackURL } = ctx.query
      const userId = await consumeVerification(ctx, purpose, token)
      const user = userId === null ? null : await findUserById(ctx, userId)
      if (!user) throw new ApiError(errors.INVALID_TOKEN)
      await signIn(
        ctx,
        user,
        { method: signInMethod.name, amr: ['email'], reply: 'redirect', callbackURL },
        { recheck: (tx) => findUserByEmail(tx, user.email) },
      )
      return redirect(callbackURL)
    },
  }),
}
