import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { Page } from '../../core/reply.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { errors as passwordErrors } from '../email-password/index.ts'
import { errors as ruleErrors } from '../password-rules/index.ts'
import { errors } from './errors.ts'
import { findSetupUser, proveSetupLink, setPasswordByLink } from './links.ts'
import { donePage, expiredPage, formPage } from './pages.ts'

const token = z.string().max(100)

/** @param fault why the last try was refused */
const setupPage = (app: App, token: string, user: UserRow | null, fault?: string): Page =>
  user ? formPage(app.config, { token, email: user.email, fault }) : expiredPage(app.config)

export const routes = {
  'GET /set-up': route({
    summary: 'The page behind a set-up link',
    access: 'public',
    query: z.object({ token }),
    returns: z.never(),
    undocumented: true,
    handler: async (ctx) => setupPage(ctx, ctx.query.token, await proveSetupLink(ctx, ctx.query.token)),
  }),
  'POST /set-up': route({
    summary: 'Set a password by a set-up link',
    access: 'public',
    body: z.object({ token, newPassword: z.string() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [
      errors.INVALID_TOKEN,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ruleErrors.PASSWORD_COMPROMISED,
      ruleErrors.PASSWORD_TOO_PERSONAL,
    ],
    rateLimit: { window: 10, max: 3 },
    handler: async (ctx) => {
      const isForm = ctx.request.header('accept')?.includes('text/html') ?? false
      try {
        await setPasswordByLink(ctx, ctx.body.token, ctx.body.newPassword)
      } catch (error) {
        if (!isForm || !(error instanceof ApiError)) throw error
        if (error.entry.code === errors.INVALID_TOKEN.code) return expiredPage(ctx.config)
        return setupPage(ctx, ctx.body.token, await findSetupUser(ctx, ctx.body.token), error.message)
      }
      return isForm ? donePage(ctx.config) : { status: true as const }
    },
  }),
}
