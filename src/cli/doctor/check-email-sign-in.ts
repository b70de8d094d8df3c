/** Checks the options of sign-in by email: what mail scanners can do to links, and who keeps access to an address that was not verified. */
import { hostedPath } from '../../features/dashboard/index.ts'
import type { Config } from '../../features/index.ts'
import { check, type Finding } from './finding.ts'

/** Nothing while magic links and codes by email are disabled. */
export function checkEmailSignIn(config: Config): Finding[] {
  const { magicLink, emailOTP, emailVerification } = config
  if (!magicLink.enabled && !emailOTP.enabled) return []
  const isUsedByScanners = magicLink.enabled && hostedPath(config, '/magic-link') === null
  const found = [
    ...(isUsedByScanners
      ? [
          check('magic-link-scanners', 'Magic links').warning(
            'Without the hosted pages a magic link signs in by a GET: programs that scan emails for dangerous links open it first, and the user finds a link that was used',
            'Set dashboard.enabled: true, or offer codes by email (emailOTP).',
          ),
        ]
      : []),
    ...(emailVerification.revokeEarlierAccess === false
      ? [
          check('earlier-access', 'Sign-in by email').warning(
            'emailVerification.revokeEarlierAccess is false: a person who signed up with the address of another keeps their password and sessions when its owner signs in by email',
            'Remove it.',
          ),
        ]
      : []),
  ]
  return found.length > 0 ? found : [check('email-sign-in', 'Sign-in by email').ok('No option weakens it')]
}
