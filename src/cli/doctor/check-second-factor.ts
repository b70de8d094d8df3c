/** Checks the options of second factors, and who has none. */
import type { OpenApp } from '../../app.ts'
import type { Config } from '../../features/index.ts'
import { declaredRoles } from '../../features/roles/index.ts'
import { ruleName, sendsBy, userRules } from '../../features/second-factor/index.ts'
import { findLockingRule } from '../../features/second-factor-rules/index.ts'
import { configuredProviders } from '../../features/social-sign-in/index.ts'
import { counted } from '../../lib/text.ts'
import { administratorRoles, isAdministratorRole } from './check-administrators.ts'
import { check, type Finding } from './finding.ts'

const option = 'twoFactor.otpOptions.channels'

/** Nothing while second factors are disabled. */
export function checkSecondFactor(config: Config): Finding[] {
  if (!config.twoFactor.enabled) return []
  const found = [
    ...checkEnrolment(config),
    ...checkChannels(config),
    ...checkTrustedProviders(config),
    ...checkRules(config),
    ...checkRecovery(config),
  ]
  return found.length > 0 ? found : [check('second-factor', 'Second factor').ok('No option weakens it')]
}

function checkEnrolment({ twoFactor }: Config): Finding[] {
  if (!twoFactor.skipVerificationOnEnable) return []
  const message = 'Authenticator apps are enabled without a first code: a user who scanned nothing is locked out'
  return [check('second-factor-unverified', 'Second factor').warning(message, 'Remove twoFactor.skipVerificationOnEnable.')]
}

function checkChannels(config: Config): Finding[] {
  const { otpOptions, totpOptions } = config.twoFactor
  const sends = (channel: 'sms' | 'email') => sendsBy({ config, mailer: null }, channel)
  const warning = (id: string, message: string, fix: string) => [check(id, 'Second factor').warning(message, fix)]
  const isListed = (channel: 'sms' | 'email') => otpOptions.channels.includes(channel)
  return [
    ...(isListed('email') && !sends('email')
      ? warning(
          'second-factor-sender:email',
          `${option} has "email", but no email is sent`,
          'Configure mail, or twoFactor.otpOptions.sendOTP; or remove "email".',
        )
      : []),
    // The default is `sms`, which does nothing without phone numbers.
    ...(isListed('sms') && !sends('sms') && (config.phoneNumber.enabled || otpOptions.channels.length > 1)
      ? warning(
          'second-factor-sender:sms',
          `${option} has "sms", but ${config.phoneNumber.enabled ? 'no text message is sent' : 'users have no phone numbers'}`,
          config.phoneNumber.enabled
            ? 'Configure sms.send, or twoFactor.otpOptions.sendOTP; or set the channels to [].'
            : 'Set phoneNumber: true, or remove "sms".',
        )
      : []),
    ...(sends('email')
      ? warning(
          'second-factor-email',
          'Codes by email count as a second factor: a mailbox often resets the password too, so that both factors are one. They never satisfy calls that demand a strong sign-in',
          `Remove "email" from ${option}, once users have another second factor.`,
        )
      : []),
    ...(totpOptions.disable && sends('sms') && !sends('email')
      ? warning(
          'second-factor-sms-only',
          'Text messages are the only second factor: phone numbers can be taken over, and messages cost money',
          'Remove twoFactor.totpOptions.disable, so that users can set up an authenticator app.',
        )
      : []),
  ]
}

/** A rule that no user can satisfy is an error of the configuration. */
function checkRules(config: Config): Finding[] {
  const required = userRules(config)
  const bySMS = required.filter(({ methods }) => methods.every((method) => method === 'sms')).map(ruleName)
  const declared = declaredRoles(config)
  const unknown = [...new Set(required.flatMap(({ roles = [] }) => roles))].filter((role) => !declared.includes(role))
  return [
    ...(bySMS.length > 0
      ? [
          check('second-factor-rule-sms', 'Second factor').warning(
            `Only text messages satisfy the rule ${bySMS.join(', ')}: users without a verified phone number cannot sign in, and phone numbers can be taken over`,
            'Add "totp" or "passkey" to the methods of the rule.',
          ),
        ]
      : []),
    ...(unknown.length > 0
      ? [
          check('second-factor-rule-roles', 'Second factor').warning(
            `twoFactor.required names roles that the configuration does not declare: ${unknown.join(', ')}`,
            'Check their names, unless they are created in the console.',
          ),
        ]
      : []),
  ]
}

/** Backup codes are a way back too, but users lose them together with the device. */
function checkRecovery(config: Config): Finding[] {
  if (userRules(config).length === 0 || config.admin.enabled || config.twoFactor.recovery.selfService) return []
  const message =
    'twoFactor.required demands second factors, but only an operator can reset lost ones, by `latchkey users reset-factor`: there are no administrators, and users cannot request a reset'
  const fix = 'Set twoFactor.recovery.selfService: true, or admin: true.'
  return [check('second-factor-recovery', 'Second factor').warning(message, fix)]
}

function checkTrustedProviders(config: Config): Finding[] {
  const known = configuredProviders(config).map(({ id }) => id)
  const trusted = config.twoFactor.trustProviders.map((entry) => (typeof entry === 'string' ? entry : entry.id))
  const unknown = trusted.filter((id) => !known.includes(id))
  if (unknown.length === 0) return []
  const message = `twoFactor.trustProviders has providers that are not enabled: ${unknown.join(', ')}`
  return [
    check('second-factor-providers', 'Second factor').warning(
      message,
      'Remove them, or list the IDs: `latchkey providers list`.',
    ),
  ]
}

/** What a sign-in with a provider does, which surprises users of better-auth; null: nothing to explain. */
export function explainProviders(config: Config): string | null {
  const { enabled, trustProviders } = config.twoFactor
  const names = configuredProviders(config).map(({ id }) => id)
  if (!enabled || trustProviders.length > 0 || names.length === 0) return null
  return `Users with a second factor are asked for it after a sign-in with ${names.join(', ')} too. If a provider has asked for two factors itself, list it in twoFactor.trustProviders`
}

const mostShown = 10

/** A hint, and no failure: administrators decide for themselves until a rule demands a second factor. */
export async function checkAdministratorFactors({ db }: OpenApp['database'], config: Config): Promise<Finding[]> {
  if (!config.admin.enabled || !config.twoFactor.enabled) return []
  const { ok, warning, failed } = check('administrator-factors', 'Second factors of administrators')
  const locking = await findLockingRule({ db }, config)
  if (locking !== null)
    return [
      failed(
        `The rule ${locking} demands a second factor now, and no administrator has one`,
        'Let an administrator set one up first, or give the rule graceDays.',
      ),
    ]
  const { adminUserIds } = config.admin
  const stored = (await db.selectFrom('user').select('role').distinct().execute()).map(({ role }) => role)
  const roles = stored.filter((role) => role !== null && isAdministratorRole(config, role))
  const users = db
    .selectFrom('user')
    .select('email')
    .orderBy('email')
    .limit(mostShown + 1)
  const found = await users
    .where((eb) => eb.or([eb('twoFactorEnabled', 'is', null), eb('twoFactorEnabled', '=', false)]))
    .where((eb) =>
      eb.or([
        ...(roles.length > 0 ? [eb('role', 'in', roles)] : []),
        ...(adminUserIds.length > 0 ? [eb('id', 'in', adminUserIds)] : []),
      ]),
    )
    .execute()
  if (found.length === 0) return [ok(`Every user with the role ${administratorRoles(config)} has one`)]
  const shown = found.slice(0, mostShown).map(({ email }) => email)
  const more = found.length > mostShown ? ', and more' : ''
  return [
    warning(
      `${found.length > mostShown ? 'Many administrators have' : `${counted(found.length, 'administrator')} ${found.length === 1 ? 'has' : 'have'}`} no second factor: ${shown.join(', ')}${more}`,
      'Ask them to set one up: a stolen password of an administrator opens every account.',
    ),
  ]
}
