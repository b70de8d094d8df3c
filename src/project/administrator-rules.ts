/** A rule that takes effect immediately for administrators of whom none has a second factor (contract 11 §10). */
import type { OpenApp } from '../app.ts'
import type { Config } from '../features/index.ts'
import { ruleName } from '../features/second-factor/index.ts'
import { exitCodes, Failure } from './failure.ts'

type Opened = Pick<OpenApp['database'], 'db'>

const isStrict = (config: Config, { graceDays, roles }: Config['twoFactor']['required'][number]): boolean =>
  graceDays === 0 && (roles === undefined || roles.some((role) => config.admin.adminRoles.includes(role)))

/** @returns the name of the rule; null: there is none, or an administrator could sign in under it, or there is no administrator */
export async function findLockingRule({ db }: Opened, config: Config): Promise<string | null> {
  const rule = config.twoFactor.enabled && config.admin.enabled && config.twoFactor.required.find((one) => isStrict(config, one))
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

/** @throws Failure ADMINISTRATORS_LOCKED_OUT (5) */
export async function checkAdministratorRules(database: Opened, config: Config): Promise<void> {
  const rule = await findLockingRule(database, config)
  if (rule === null) return
  throw new Failure('ADMINISTRATORS_LOCKED_OUT', `The rule ${rule} demands a second factor now, and no administrator has one`, {
    exitCode: exitCodes.refused,
    hint: 'Let an administrator set one up first, or give the rule graceDays.',
  })
}
