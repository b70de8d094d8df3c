/** Calls with which administrators create, pause and end bulk actions. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { maxPage } from '../../core/pages.ts'
import { allows, freshPermission, grantsOf, permission } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { transaction } from '../../core/transaction.ts'
import { errors as adminErrors, checkGivenRole, userFilter } from '../admin/index.ts'
import { recordEvent } from '../audit/index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { roleInput } from '../roles/index.ts'
import { createAction } from './creation.ts'
import { actionKinds, actionNames, errors, kindOf } from './model.ts'
import { endAction } from './run.ts'
import { type Planned, planAction, skipReasons } from './targets.ts'
import { bulkAction, type FoundAction, getAction, oneAction, viewOf } from './view.ts'

const list = { user: ['list'] }
const mayList = permission(list, adminErrors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS)
const mayChange = freshPermission(list, adminErrors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS)
const refusals = Object.values(actionKinds).map(({ refusal }) => refusal)

const planned = z.object({
  action: z.enum(actionNames).describe('`remove` deletes the users'),
  userIds: z.array(z.string().min(1).max(36)).min(1).max(maxPage).optional().describe('Chosen users'),
  filter: userFilter.optional().describe('All users that match, as in `/admin/list-users`'),
  banReason: z.string().max(1000).optional().describe('Of a ban'),
  banExpiresIn: z.number().nonnegative().max(3_155_760_000).optional().describe('Of a ban: seconds; absent or 0: as configured'),
  role: roleInput.optional().describe('For `set-role`'),
})
type PlannedInput = z.output<typeof planned>

const isPlanned = ({ action, userIds, filter, role }: PlannedInput) =>
  (userIds === undefined) !== (filter === undefined) && (action === 'set-role') === (role !== undefined)
const example = { action: 'ban', filter: { search: 'spammer' }, banReason: 'Spam', banExpiresIn: 604_800 } as const
const refined = { path: ['filter'], error: 'Expected either userIds or filter, and role for set-role only' }

/** @throws ApiError the refusal of the action; for `set-role` also ROLE_NOT_FOUND */
async function readPlanned(ctx: CallContext & { readonly user: UserRow }, given: PlannedInput): Promise<Planned> {
  const { action, userIds, filter, banReason, banExpiresIn, role } = given
  await requireKind(ctx, ctx.user, action)
  if (role !== undefined) await checkGivenRole(ctx, ctx.user, role)
  const banExpires = banExpiresIn ? new Date(ctx.now().getTime() + banExpiresIn * 1000).toISOString() : undefined
  const input = action === 'ban' ? { banReason, banExpires } : { role }
  return { action, input, ids: userIds && [...new Set(userIds)], filter }
}

async function requireKind(app: App, user: UserRow, action: string): Promise<void> {
  const { required, refusal } = kindOf(action)
  if (!allows(await grantsOf(app, user), required)) throw new ApiError(refusal)
}

const changeErrors = [errors.BULK_ACTION_NOT_FOUND, errors.BULK_ACTION_HAS_ENDED, ...refusals]

/** Pauses or resumes an action. It changes nothing that is so already. */
async function setState(
  ctx: CallContext & { readonly user: UserRow },
  id: string,
  state: 'running' | 'paused',
): Promise<FoundAction> {
  const found = await getAction(ctx, id)
  await requireKind(ctx, ctx.user, found.action)
  await transaction(ctx, async (tx) => {
    const from = state === 'running' ? 'paused' : 'running'
    const row = tx.db.updateTable('bulkAction').set({ state }).where('id', '=', id)
    const { numUpdatedRows } = await row.where('state', '=', from).executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const action = state === 'running' ? 'bulk-action.resumed' : 'bulk-action.paused'
    await recordEvent(tx, { action, target: { type: 'bulk-action', id } })
  })
  const now = await getAction(ctx, id)
  if (now.endedAt) throw new ApiError(errors.BULK_ACTION_HAS_ENDED)
  return now
}

export const changeRoutes = {
  'POST /admin/preview-bulk-action': route({
    summary: 'Count the users of a bulk action',
    description:
      'Returns how many users an action would change now, and how many it would skip: the current user, administrators, users whose roles permit more than those of the current user, and users whom it would not change. Fails when more than `admin.bulkActionLimit` users match.',
    access: mayList,
    isRead: true,
    body: planned.refine(isPlanned, refined).meta({ examples: [example] }),
    returns: z.object({ targets: z.int(), skipped: z.object(Object.fromEntries(skipReasons.map((name) => [name, z.int()]))) }),
    errors: [...refusals, organizationErrors.ROLE_NOT_FOUND, errors.TOO_MANY_USERS_MATCH, adminErrors.SEARCH_TOO_SLOW],
    handler: async (ctx) => {
      const { targets, skipped } = await planAction(ctx, ctx.user, await readPlanned(ctx, ctx.body))
      return { targets: targets.length, skipped }
    },
  }),
  'POST /admin/create-bulk-action': route({
    summary: 'Create a bulk action',
    description:
      'Bans users, lifts bans, revokes sessions, sets roles or deletes users, for chosen users or all that match. The targets are fixed now; a daemon changes one after the other, each as the call for one user does, and skips those that no longer match. It stops when the current user loses the permission. A second call with the same `idempotencyKey` returns the same action. Administrators are skipped. Fails when no user, or more than `admin.bulkActionLimit` users match.',
    access: mayChange,
    stepUp: 'recent',
    rejectsApiKeys: true,
    body: planned
      .extend({ idempotencyKey: z.string().min(1).max(64).optional().describe('A random text, for a call that may be repeated') })
      .refine(isPlanned, refined)
      .meta({ examples: [{ ...example, idempotencyKey: 'a6f1c0de-53b7-4d8e-9f0a-2c41b7e6d935' }] }),
    returns: bulkAction,
    errors: [
      ...refusals,
      organizationErrors.ROLE_NOT_FOUND,
      errors.NO_USER_MATCHES,
      errors.TOO_MANY_USERS_MATCH,
      errors.BULK_ACTION_NOT_FOUND,
      adminErrors.SEARCH_TOO_SLOW,
    ],
    handler: async (ctx) => {
      const { idempotencyKey = ctx.random.id() } = ctx.body
      const id = await createAction(ctx, ctx.user, await readPlanned(ctx, ctx.body), idempotencyKey)
      return viewOf(await getAction(ctx, id))
    },
  }),
  'POST /admin/pause-bulk-action': route({
    summary: 'Pause a bulk action',
    description: 'Pauses an action. When it returns, no further user is changed. Fails when the action has ended.',
    access: mayList,
    body: oneAction,
    returns: bulkAction,
    errors: changeErrors,
    handler: async (ctx) => viewOf(await setState(ctx, ctx.body.id, 'paused')),
  }),
  'POST /admin/resume-bulk-action': route({
    summary: 'Resume a bulk action',
    description: 'Resumes a paused action, on behalf of the administrator who created it. Fails when the action has ended.',
    access: mayChange,
    rejectsApiKeys: true,
    body: oneAction,
    returns: bulkAction,
    errors: changeErrors,
    handler: async (ctx) => viewOf(await setState(ctx, ctx.body.id, 'running')),
  }),
  'POST /admin/cancel-bulk-action': route({
    summary: 'Cancel a bulk action',
    description: 'Ends an action. What it has changed stays changed. Fails when the action has ended.',
    access: mayList,
    body: oneAction,
    returns: bulkAction,
    errors: changeErrors,
    handler: async (ctx) => {
      const { id } = ctx.body
      await requireKind(ctx, ctx.user, (await getAction(ctx, id)).action)
      if (!(await endAction(ctx, id, 'canceled'))) throw new ApiError(errors.BULK_ACTION_HAS_ENDED)
      return viewOf(await getAction(ctx, id))
    },
  }),
}
