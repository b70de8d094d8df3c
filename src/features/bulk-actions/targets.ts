/** Whom a bulk action changes, and whom it skips. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { grantsOf } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { findMatches, isAdministrator, mayChange, type UserFilter, type UserMatch } from '../admin/index.ts'
import { type ActionInput, type ActionName, errors, kindOf } from './model.ts'

/**
 * Why a user is skipped: it is the administrator themselves; another administrator, whom only a call for one user changes; a user whose
 * roles permit more than theirs; or the action would change nothing.
 */
export const skipReasons = ['self', 'administrator', 'not-permitted', 'unchanged'] as const
export type SkipReason = (typeof skipReasons)[number]

export interface Planned {
  readonly action: ActionName
  readonly input: ActionInput
  readonly ids?: readonly string[] | undefined
  readonly filter?: UserFilter | undefined
}

/** Decides for each user whether an action of an administrator skips them. @returns null: it does not */
export async function createSkipRule(
  app: App,
  administrator: UserRow,
  { action, input }: { readonly action: string; readonly input: ActionInput },
): Promise<(user: UserMatch) => Promise<SkipReason | null>> {
  const own = await grantsOf(app, administrator)
  // Thousands of users have the same few roles; those with permissions of their own are administrators.
  const permitted = new Map<string | null, Promise<boolean>>()
  return async (user) => {
    if (user.id === administrator.id) return 'self'
    if (isAdministrator(app, user)) return 'administrator'
    const isPermitted = permitted.get(user.role) ?? mayChange(app, { id: administrator.id, own }, user)
    permitted.set(user.role, isPermitted)
    if (!(await isPermitted)) return 'not-permitted'
    return kindOf(action).isUnchanged(app, user, input) ? 'unchanged' : null
  }
}

export interface Plan {
  readonly targets: readonly string[]
  readonly skipped: Readonly<Record<SkipReason, number>>
}

/**
 * The users whom an action would change now, and how many it would skip.
 * @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW; TOO_MANY_USERS_MATCH, with the limit
 */
export async function planAction(app: App, administrator: UserRow, planned: Planned): Promise<Plan> {
  const limit = app.config.admin.bulkActionLimit
  const users = await findMatches(app, planned, limit + 1)
  if (users.length > limit) throw new ApiError(errors.TOO_MANY_USERS_MATCH, { details: { limit } })
  const skipReason = await createSkipRule(app, administrator, planned)
  const skipped = { self: 0, administrator: 0, 'not-permitted': 0, unchanged: 0 }
  const targets: string[] = []
  for (const user of users) {
    const reason = await skipReason(user)
    if (reason) skipped[reason] += 1
    else targets.push(user.id)
  }
  return { targets, skipped }
}
