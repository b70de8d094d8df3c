import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { transaction } from '../../core/transaction.ts'

/** Counts at once, also where a cookie holds the former one (ASVS 8.3.2). @param role a comma-separated list of role names */
export async function setUserRole(app: App, userId: string, role: string): Promise<void> {
  await transaction(app, async (inner) => {
    await inner.db.updateTable('user').set({ role }).where('id', '=', userId).execute()
    await emit(inner, 'user.updated', { userId, affectsAccess: true })
  })
}

/** Those of a comma-separated list that neither the configuration declares nor the table holds. */
export async function findUnknownRoles(app: App, role: string): Promise<string[]> {
  const names = role.split(',').filter((name) => !Object.hasOwn(app.config.seed.roles, name))
  if (names.length === 0) return []
  const rows = await app.db.selectFrom('role').select('name').where('name', 'in', names).execute()
  return names.filter((name) => !rows.some((row) => row.name === name))
}
