import { z } from 'zod'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { listAccounts } from './accounts.ts'
import { errors } from './errors.ts'
import { providerRoutes } from './provider-routes.ts'
import { unlinkAccount } from './unlink.ts'

/** `provider` is the contract's name, `providerId` and `userId` those of later clients (contract 02 §7). */
const accountView = z.object({
  id: z.string(),
  provider: z.string(),
  providerId: z.string(),
  userId: z.string(),
  accountId: z.string(),
  scopes: z.array(z.string()),
  createdAt: isoDate,
  updatedAt: isoDate,
})

const choice = z
  .object({
    providerId: z.string().optional(),
    accountId: z
      .string()
      .optional()
      .describe('With a provider: its own id of the account. Without: the id that list-accounts shows'),
  })
  .refine(({ providerId, accountId }) => providerId !== undefined || accountId !== undefined)

export const routes = {
  'GET /list-accounts': route({
    summary: 'The ways in which the caller can sign in',
    access: 'session',
    returns: z.array(accountView),
    handler: async (ctx) =>
      (await listAccounts(ctx, ctx.user.id)).map(({ scope, ...account }) => ({
        ...account,
        provider: account.providerId,
        scopes: scope ? scope.split(',') : [],
      })),
  }),
  'POST /unlink-account': route({
    summary: 'Take a way to sign in from the caller',
    access: 'fresh-session',
    body: choice,
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT, errors.ACCOUNT_NOT_FOUND],
    handler: async (ctx) => {
      await unlinkAccount(ctx, ctx.user.id, ctx.body)
      return { status: true as const }
    },
  }),
  ...providerRoutes,
}
