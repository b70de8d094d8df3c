import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import type { SeedOptions, SeedResult } from '../../core/seed.ts'
import { changePassword, findCredentialAccount } from '../accounts/index.ts'
import { checkPasswordLength, hashPassword } from '../email-password/index.ts'
import type { Config } from '../index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { setUserRole } from '../roles/index.ts'
import { findUserByEmail, errors as userErrors } from '../users/index.ts'
import { createUser } from './create.ts'
import { createSetupLink, hasSetupLink } from './links.ts'

type Admin = Config['seed']['admins'][number]

/** Creates the declared administrators and corrects their roles; a password that exists is never touched. */
export async function seed(app: App, options: SeedOptions): Promise<SeedResult[]> {
  const results: SeedResult[] = []
  for (const admin of app.config.seed.admins) results.push(await seedAdmin(app, admin, options))
  return results
}

async function seedAdmin(app: App, admin: Admin, options: SeedOptions): Promise<SeedResult> {
  const known = await findUserByEmail(app, admin.email)
  if (known) return correctAdmin(app, admin, known, options)
  if (options.dryRun) return { kind: 'admin', name: admin.email, outcome: 'created' }
  const password = admin.passwordEnv && options.readSecret(admin.passwordEnv)
  try {
    const { setupLink } = await createUser(app, { ...newUser(admin), role: admin.role, password: password || undefined })
    return { kind: 'admin', name: admin.email, outcome: 'created', ...(setupLink && { setupLink }) }
  } catch (error) {
    const cameSecond = error instanceof ApiError && error.entry.code === userErrors.USER_ALREADY_EXISTS.code
    if (cameSecond) return { kind: 'admin', name: admin.email, outcome: 'unchanged' }
    throw error
  }
}

/** The rules for everybody hold for administrators. */
async function checkPassword(app: App, password: string, admin: Admin): Promise<void> {
  checkPasswordLength(app, password)
  await checkNewPassword(app, password, admin)
}

const newUser = (admin: Admin) => ({ name: admin.name, email: admin.email, emailVerified: true })

async function correctAdmin(app: App, admin: Admin, user: UserRow, options: SeedOptions): Promise<SeedResult> {
  const result = { kind: 'admin', name: admin.email }
  const details: string[] = []
  if (user.role !== admin.role) {
    details.push(`role ${user.role ?? 'none'} → ${admin.role}`)
    if (!options.dryRun) await setUserRole(app, user.id, admin.role)
  }
  const access = await restoreAccess(app, admin, user, options)
  if (access) details.push(access.detail)
  if (details.length === 0) return { ...result, outcome: 'unchanged' }
  return { ...result, outcome: 'changed', detail: details.join('; '), ...(access?.setupLink && { setupLink: access.setupLink }) }
}

/** An administrator without a password gets the configured one, or a new link when the former has expired. */
async function restoreAccess(app: App, admin: Admin, user: UserRow, { dryRun, readSecret }: SeedOptions) {
  if ((await findCredentialAccount(app, user.id))?.password) return null
  const password = admin.passwordEnv && readSecret(admin.passwordEnv)
  if (password) {
    await checkPassword(app, password, admin)
    if (!dryRun) await changePassword(app, user.id, { passwordHash: await hashPassword(app, password), isOwn: false })
    return { detail: 'password set' }
  }
  if (await hasSetupLink(app, user.id)) return null
  return { detail: 'new set-up link', ...(!dryRun && { setupLink: await createSetupLink(app, user.id) }) }
}
