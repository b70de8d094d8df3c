/** The administrator of `latchkey dev`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { random } from '../adapters/system.ts'
import type { OpenApp } from '../app.ts'
import { extend } from '../core/app.ts'
import type { SeedOptions } from '../core/seed.ts'
import { mergePermissions } from '../core/table.ts'
import { changePassword, findCredentialAccount } from '../features/accounts/index.ts'
import { findUserByEmail } from '../features/users/index.ts'
import { isRecord } from '../lib/objects.ts'
import { readOrCreate } from './development-config.ts'
import type { DevelopmentAccess } from './messages.ts'
import { stateFolder } from './state.ts'

const adminEmail = 'admin@localhost.test'

/**
 * Creates an administrator with a random password. A file that only its owner can read stores the password for the next start.
 * The password is valid only for the embedded database in the same folder.
 */
export async function seedDevelopmentAdmin({ app }: OpenApp, directory: string): Promise<DevelopmentAccess['admin']> {
  if (!app.config.emailAndPassword.enabled) return null
  const length = Math.max(24, app.config.emailAndPassword.minPasswordLength)
  const admin = readAdmin(join(stateFolder(directory), 'dev-admin.json'), length)
  // As a row also where the role is in admin.roles or built in: an earlier configuration may have stored another one.
  const roles = { admin: app.config.admin.roles?.admin ?? mergePermissions(app.features), ...app.config.seed.roles }
  const seed = {
    ...app.config.seed,
    roles,
    admins: [{ email: admin.email, name: 'Admin', role: 'admin', passwordEnv: 'password' }],
  }
  const seeded = extend(app, { config: { ...app.config, seed } })
  const options: SeedOptions = { dryRun: false, prune: false, readSecret: () => admin.password }
  for (const feature of app.features) await feature.seed?.(seeded, options)
  await resetPassword(app, admin)
  return admin
}

type Admin = NonNullable<DevelopmentAccess['admin']>

function readAdmin(path: string, length: number): Admin {
  const create = (): Admin => ({ email: adminEmail, password: random.token(length) })
  const admin: unknown = JSON.parse(readOrCreate(path, () => JSON.stringify(create())))
  if (isAdmin(admin) && admin.password.length >= length) return admin
  const fresh = create()
  writeFileSync(path, `${JSON.stringify(fresh)}\n`, { mode: 0o600 })
  return fresh
}

const isAdmin = (value: unknown): value is Admin =>
  isRecord(value) && typeof value.email === 'string' && typeof value.password === 'string'

/** The printed password must work even after its file was deleted. */
async function resetPassword(app: OpenApp['app'], { email, password }: Admin): Promise<void> {
  const user = await findUserByEmail(app, email)
  const account = user && (await findCredentialAccount(app, user.id))
  if (!user || !account?.password || (await app.hasher.verify(account.password, password))) return
  await changePassword(app, user.id, { passwordHash: await app.hasher.hash(password), by: 'operator' })
}
