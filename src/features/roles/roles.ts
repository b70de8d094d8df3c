import type { App } from '../../core/app.ts'

/** @param role a comma-separated list of role names */
export async function setUserRole(app: App, userId: string, role: string): Promise<void> {
  await app.db.updateTable('user').set({ role }).where('id', '=', userId).execute()
}

/** Those of a comma-separated list that neither the configuration declares nor the table holds. */
export async function findUnknownRoles(app: App, role: string): Promise<string[]> {
  const names = role.split(',').filter((name) => !Object.hasOwn(app.config.seed.roles, name))
  if (names.length === 0) return []
  const rows = await app.db.selectFrom('role').select('name').where('name', 'in', names).execute()
  return names.filter((name) => !rows.some((row) => row.name === name))
}
