/** What a user who declines may do without a session: take their data with them, and delete their account. Nothing else. */
import { z } from 'zod'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { anyone, isFresh } from '../../core/permissions.ts'
import type { CallContext, SessionView } from '../../core/request.ts'
import { apiURL, route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import {
  checkEnabled,
  deleteAccount,
  deleteAccountByToken,
  errors as deletionErrors,
  mails,
  sendDeletionMail,
} from '../account-deletion/index.ts'
import { recordEvent } from '../audit/index.ts'
import { exportView, readData } from '../data-export/index.ts'
import type { Config } from '../index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { canSend } from '../outbox/index.ts'
import { endTrustHere, stepUp } from '../second-factor/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { clearTermsCookie, type PendingTerms, pageOf, requirePending } from './challenge.ts'
import { errors } from './model.ts'
import { challengeToken } from './routes.ts'

/** As for a session: what the sign-in has proven may be too old. @throws ApiError SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION */
function requireFreshProof(ctx: CallContext, { createdAt }: PendingTerms): void {
  if (!isFresh(ctx, { authenticatedAt: null, createdAt }, 'fresh'))
    throw new ApiError(deletionErrors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION)
}

/**
 * As before `/delete-user`: a sign-in in a trusted browser has not proven the second factor. The browser is trusted no more, so that the
 * next sign-in proves it.
 * @throws ApiError SESSION_IS_NOT_FRESH
 */
async function requireFactor(ctx: CallContext, { id, user, proof, createdAt }: PendingTerms): Promise<void> {
  if (!ctx.config.twoFactor.enabled) return
  const { amr, acr = null, columns } = proof
  const session = { id, userId: user.id, amr: JSON.stringify(amr), acr, createdAt, ...columns } as unknown as SessionView
  const identity = { user, session, credential: { kind: 'cookie', id }, hold: async () => true } as const
  try {
    await stepUp(ctx, identity, { path: '/delete-user', demands: 'established' })
  } catch (error) {
    if (error instanceof ApiError) await endTrustHere(ctx, user.id, 'terms-declined')
    throw error
  }
}

/** The page that the link of the email opens; it needs the sign-in that waits, as another link needs the session. */
function linkTarget(ctx: CallContext): string | undefined {
  const page = pageOf(ctx, '/terms/delete-account', {})
  return page === null ? undefined : new URL(page, apiURL(ctx.config)).href
}

/** As `/delete-user` responds. */
const unknownToken: ErrorEntry = { ...verificationErrors.INVALID_TOKEN, status: 404 }

const deletionErrorsOf: readonly ErrorEntry[] = [
  errors.INVALID_TERMS_COOKIE,
  deletionErrors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION,
  kernelErrors.SESSION_IS_NOT_FRESH,
  unknownToken,
  verificationErrors.FAILED_TO_CREATE_VERIFICATION,
  organizationErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
]

export const leavingRoutes = {
  'GET /terms/export-data': route({
    summary: 'Export data instead of accepting terms',
    description:
      'Returns everything that is stored about the user of a sign-in that waits for terms, as `/export-data` does for the current user. Fails without such a sign-in.',
    access: anyone(),
    acceptsPending: ['terms'],
    query: z.object({ challengeToken }),
    returns: (_config: Config, tables) => exportView(tables),
    responseHeaders: { 'content-disposition': 'The name under which a browser saves the document' },
    errors: [errors.INVALID_TERMS_COOKIE, deletionErrors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION],
    rateLimit: { window: 60, max: 3 },
    handler: async (ctx) => {
      const pending = await requirePending(ctx, ctx.query.challengeToken)
      requireFreshProof(ctx, pending)
      const { user } = pending
      await recordEvent(ctx, { action: 'user.exported', target: { type: 'user', id: user.id } })
      ctx.headers['content-disposition'] = 'attachment; filename="data-export.json"'
      return readData(ctx, user)
    },
  }),
  'POST /terms/delete-account': route({
    summary: 'Delete the account instead of accepting terms',
    description:
      'Deletes the user of a sign-in that waits for terms, or sends a deletion link, as `/delete-user` does for the current user. Fails when deletion is disabled, without such a sign-in, when a second factor of the user was not proven, when the token is invalid, and when the user is the only owner of an organization with other members.',
    access: anyone(),
    acceptsPending: ['terms'],
    body: z.object({ token: z.string().max(100).optional(), callbackURL: callbackURL.optional(), challengeToken }).optional(),
    returns: z.object({ success: z.literal(true), message: z.string().meta({ examples: ['User deleted'] }) }),
    responseHeaders: writesCookies,
    errors: deletionErrorsOf,
    rateLimit: { window: 60, max: 5 },
    handler: async (ctx) => {
      checkEnabled(ctx)
      const pending = await requirePending(ctx, ctx.body?.challengeToken)
      requireFreshProof(ctx, pending)
      await requireFactor(ctx, pending)
      const { token, callbackURL } = ctx.body ?? {}
      if (token) await deleteAccountByToken(ctx, pending.user, token)
      else if (canSend(ctx, mails['delete-account'])) {
        await sendDeletionMail(ctx, pending.user, callbackURL, linkTarget(ctx))
        return { success: true as const, message: 'Verification email sent' }
      } else await deleteAccount(ctx, pending.user)
      clearTermsCookie(ctx)
      return { success: true as const, message: 'User deleted' }
    },
  }),
}
