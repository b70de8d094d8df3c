/** Bulk actions as calls return them. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { isoDate } from '../../core/schemas.ts'
import { type ActionName, actionNames, type BulkAction, errors, states } from './model.ts'

export const bulkAction = z
  .object({
    id: z.string(),
    action: z.enum(actionNames),
    state: z.enum(states).describe('`stopped`: the administrator who created it lost the permission, was banned or was deleted'),
    banReason: z.string().nullable(),
    banExpires: z.iso.datetime().nullable(),
    role: z.string().nullable(),
    filter: z.record(z.string(), z.unknown()).nullable().describe('As of `/admin/list-users`; null: chosen users'),
    createdBy: z
      .string()
      .describe('ID of the administrator')
      .meta({ examples: ['5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS'] }),
    createdByEmail: z
      .string()
      .nullable()
      .describe('Null: the administrator was deleted')
      .meta({ examples: ['root@example.com'] }),
    total: z.int().describe('Number of targets'),
    done: z.int(),
    failed: z.int(),
    skipped: z.int().describe('Targets that no longer matched'),
    createdAt: isoDate,
    endedAt: isoDate.nullable(),
    expiresAt: isoDate.describe('When it is deleted'),
  })
  .meta({ title: 'BulkAction' })

export const selectActions = ({ db }: App) =>
  db
    .selectFrom('bulkAction')
    .leftJoin('user', 'user.id', 'bulkAction.createdBy')
    .selectAll('bulkAction')
    .select('user.email as createdByEmail')

export type FoundAction = BulkAction & { readonly createdByEmail: string | null }

export const viewOf = ({ input, action, state, ...row }: FoundAction): z.input<typeof bulkAction> => ({
  ...row,
  action: action as ActionName,
  state: states.find((one) => one === state) ?? 'stopped',
  banReason: input.banReason ?? null,
  banExpires: input.banExpires ?? null,
  role: input.role ?? null,
})

/** @throws ApiError BULK_ACTION_NOT_FOUND */
export async function getAction(app: App, id: string): Promise<FoundAction> {
  const row = await selectActions(app).where('bulkAction.id', '=', id).executeTakeFirst()
  if (!row) throw new ApiError(errors.BULK_ACTION_NOT_FOUND)
  return row
}

export const oneAction = z.object({ id: z.string().max(36) })
