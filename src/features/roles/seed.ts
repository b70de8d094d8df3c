import type { App } from '../../core/app.ts'
import type { SeedOptions, SeedResult } from '../../core/seed.ts'

type Permissions = Readonly<Record<string, readonly string[]>>

/** Writes the declared roles; of several pipelines that do so at once, the unique key lets one create each. */
export async function seed(app: App, { dryRun, prune }: SeedOptions): Promise<SeedResult[]> {
  const declared = app.config.seed.roles
  const results: SeedResult[] = []
  for (const [name, permissions] of Object.entries(declared)) results.push(await seedRole(app, name, permissions, dryRun))
  if (prune) results.push(...(await pruneRoles(app, Object.keys(declared), dryRun)))
  return results
}

async function seedRole(app: App, name: string, permissions: Permissions, dryRun: boolean): Promise<SeedResult> {
  const found = await app.db.selectFrom('role').select('permissions').where('name', '=', name).executeTakeFirst()
  if (!found)
    return { kind: 'role', name, outcome: dryRun || (await insertRole(app, name, permissions)) ? 'created' : 'unchanged' }
  if (canonical(found.permissions) === canonical(permissions)) return { kind: 'role', name, outcome: 'unchanged' }
  if (!dryRun) {
    const changed = { permissions: JSON.stringify(permissions), updatedAt: app.now() }
    await app.db.updateTable('role').set(changed).where('name', '=', name).execute()
  }
  return { kind: 'role', name, outcome: 'changed', detail: 'permissions' }
}

/** @returns false when somebody else created it meanwhile */
async function insertRole(app: App, name: string, permissions: Permissions): Promise<boolean> {
  const now = app.now()
  const role = { id: app.random.id(), name, permissions: JSON.stringify(permissions), createdAt: now, updatedAt: now }
  try {
    await app.db.insertInto('role').values(role).execute()
    return true
  } catch (error) {
    if (app.database.isUniqueViolation(error)) return false
    throw error
  }
}

async function pruneRoles(app: App, declared: readonly string[], dryRun: boolean): Promise<SeedResult[]> {
  const rows = await app.db.selectFrom('role').select('name').execute()
  const stale = rows.map(({ name }) => name).filter((name) => !declared.includes(name))
  if (!dryRun && stale.length > 0) await app.db.deleteFrom('role').where('name', 'in', stale).execute()
  return stale.map((name) => ({ kind: 'role', name, outcome: 'removed' }))
}

/** Order of resources and actions carries no meaning. */
const canonical = (permissions: Permissions) =>
  JSON.stringify(
    Object.entries(permissions)
      .map(([resource, actions]) => [resource, [...actions].sort()] as const)
      .sort(([one], [other]) => one.localeCompare(other)),
  )
