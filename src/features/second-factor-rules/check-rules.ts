/** Rules that can never take effect, or that lock users out. */
import type { ConfigIssue } from '../../core/config.ts'
import type { Config } from '../index.ts'
import { canSend } from '../outbox/index.ts'
import { isPossible } from '../passkeys/index.ts'
import { mails as factorMails, type Qualifying, ruleName, sendsBy, userRules } from '../second-factor/index.ts'

const path = 'twoFactor.required'

export function checkConfig(config: Config): ConfigIssue[] {
  const required = userRules(config)
  if (required.length === 0) return []
  const names = required.flatMap((rule) => rule.roles ?? [ruleName(rule)])
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  const unmet = required.filter((rule) => !rule.methods.some((method) => isConfigured(config, method)))
  return [
    ...(repeated === undefined
      ? []
      : [issue('two-factor-rule-repeated', `Two rules are for ${repeated}.`, 'Make them one rule.')]),
    ...unmet.map((rule) =>
      issue(
        'two-factor-rule-methods',
        `No user can satisfy the rule ${ruleName(rule)}: ${rule.methods.join(', ')} cannot be set up under this configuration.`,
        'Enable passkeys or authenticator apps, or add to the methods of the rule.',
      ),
    ),
    ...(config.admin.enabled || !required.some(({ roles }) => roles)
      ? []
      : [issue('two-factor-rule-roles', 'A rule is for roles, but users have none.', 'Set admin: true, or use everyone: true.')]),
    ...(canSend({ config, mailer: null }, factorMails['two-factor-code'])
      ? []
      : [
          issue(
            'two-factor-rule-mail',
            'Users who must set up a second factor get a code by email first, but no email is sent.',
            'Configure mail, or twoFactor.otpOptions.sendOTP.',
          ),
        ]),
  ]
}

const issue = (id: string, message: string, hint: string): ConfigIssue => ({ id, path, message, hint })

function isConfigured(config: Config, method: Qualifying): boolean {
  if (method === 'passkey') return config.passkey.enabled && isPossible(config)
  return method === 'totp' ? !config.twoFactor.totpOptions.disable : sendsBy({ config, mailer: null }, 'sms')
}
