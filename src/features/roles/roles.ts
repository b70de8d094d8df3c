import type { App } from '../../core/app.ts'

/** @param role a comma-separated list of role names */
export async function setUserRole(app: App, userId: string, role: string): Promise<void> {
  await app.db.updateTable('user').set({ role }).where('id', '=', userId).execute()
}
