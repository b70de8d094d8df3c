/** A rule that takes effect immediately for administrators of whom none has a second factor (contract 11 §10). */
import type { App } from '../../core/app.ts'
import type { Config } from '../index.ts'
import { type Rule, ruleName, userRules } from '../second-factor/index.ts'

const isStrict = (config: Config, { graceDays, roles, moved }: Rule): boolean =>
  graceDays === 0 && !moved && (roles === undefined || roles.some((role) => config.admin.adminRoles.includes(role)))

/** @returns the name of the rule; null: there is none, or an administrator could sign in under it, or there is no administrator */
export async function findLockingRule({ db }: Pick<App, 'db'>, config: Config): Promise<string | null> {
  const rule = config.twoFactor.enabled && config.admin.enabled && userRules(config).find((one) => isStrict(config, one))
  if (!rule) return null
  const { adminRoles, adminUserIds, defaultRole } = config.admin
  const roles = (await db.selectFrom('user').select('role').distinct().execute())
    .map(({ role }) => role)
    .filter((role) => (role || defaultRole).split(',').some((name) => adminRoles.includes(name)))
    .filter((role) => role !== null)
  if (roles.length === 0 && adminUserIds.length === 0) return null
  const administrators = db
    .selectFrom('user')
    .select('id')
    .where((eb) =>
      eb.or([
        ...(roles.length > 0 ? [eb('role', 'in', roles)] : []),
        ...(adminUserIds.length > 0 ? [eb('id', 'in', adminUserIds)] : []),
      ]),
    )
    .limit(1)
  if (!(await administrators.executeTakeFirst())) return null
  if (await administrators.where('twoFactorEnabled', '=', true).executeTakeFirst()) return null
  if (
    config.passkey.enabled &&
    (await administrators.innerJoin('passkey', 'passkey.userId', 'user.id').clearSelect().select('user.id').executeTakeFirst())
  )
    return null
  return ruleName(rule)
}
