/** Second factors and passkeys: who is asked for one, when it must be proven again, and how often codes can be guessed. */
import { isObject } from '../../lib/objects.ts'
import { added, type Comparison, less, more, off, on, replaced, type Weakening, weakening } from './comparisons.ts'

/** A call is taken off the list, or accepts an older proof than before. */
const fewerCalls: Comparison = (from, to, all) => {
  const usual = all.get('twoFactor.stepUp.maxAge')
  const former = isObject(from) ? from : {}
  return Object.entries(isObject(to) ? to : {}).some(([path, age]) => {
    const before = Object.hasOwn(former, path) ? former[path] : usual
    return before !== false && (age === false || Number(age) > Number(before))
  })
}

const allMethods = ['passkey', 'totp']

interface RuleStrength {
  readonly methods: readonly unknown[]
  readonly graceDays: number
  readonly latest: number
  readonly isTrusting: boolean
  readonly hasKeys: boolean
}

/** What each role, everyone, or users of a move are under. */
function rulesOf(value: unknown): ReadonlyMap<unknown, RuleStrength> {
  const rules = entriesOf(value).filter(isObject)
  return new Map(
    rules.flatMap(({ roles, moved, methods = allMethods, graceDays = 0, latest, trustedDevices, apiKeys = true }) => {
      const strength = {
        methods: entriesOf(methods),
        graceDays: Number(graceDays),
        latest: latest === undefined ? Number.POSITIVE_INFINITY : Date.parse(String(latest)),
        isTrusting: trustedDevices === undefined ? roles === undefined || Number(graceDays) > 0 : trustedDevices === true,
        hasKeys: apiKeys !== false,
      }
      const groups = roles === undefined ? [moved === true ? 'users of a move' : 'everyone'] : entriesOf(roles)
      return groups.map((role) => [role, strength] as const)
    }),
  )
}

/** A rule is removed, or demands less, or later. */
const weakerRules: Comparison = (from, to) => {
  const now = rulesOf(to)
  return [...rulesOf(from)].some(([role, before]) => {
    const after = now.get(role)
    if (!after || after.methods.some((method) => !before.methods.includes(method))) return true
    const isLonger = after.graceDays > before.graceDays || after.latest > before.latest
    return isLonger || (after.isTrusting && !before.isTrusting) || (after.hasKeys && !before.hasKeys)
  })
}
/** Whether organizations may require second factors. */
const hasOrganizations = (rules: unknown): boolean =>
  entriesOf(rules).some((rule) => isObject(rule) && rule.organizations === true)

const hasEmail = (channels: unknown): boolean => Array.isArray(channels) && channels.includes('email')

export const secondFactorWeakenings: readonly Weakening[] = [
  weakening('second-factor-off', ['twoFactor.enabled'], off, 'Users who have a second factor sign in without it'),
  weakening(
    'organization-policies-off',
    ['twoFactor.required'],
    (from, to) => hasOrganizations(from) && !hasOrganizations(to),
    'Policies of organizations that require a second factor have no effect',
    'Keep { organizations: true } in twoFactor.required.',
  ),
  weakening(
    'second-factor-app-off',
    ['twoFactor.totpOptions.disable'],
    on,
    'Users cannot use an authenticator app, only weaker second factors',
  ),
  weakening(
    'second-factor-email',
    ['twoFactor.otpOptions.channels'],
    (from, to) => hasEmail(to) && !hasEmail(from),
    'A mailbox that resets the password is the second factor too',
    'Remove "email" from twoFactor.otpOptions.channels.',
  ),
  weakening(
    'second-factor-unverified',
    ['twoFactor.skipVerificationOnEnable'],
    on,
    'A user who scanned nothing is locked out, and asks for a reset',
  ),
  weakening(
    'second-factor-rules',
    ['twoFactor.required'],
    weakerRules,
    'Users who had to set up a second factor need none, or a weaker one, or have more time',
    'Restore the rule of twoFactor.required.',
  ),
  weakening(
    'second-factor-providers',
    ['twoFactor.trustProviders'],
    (from, to) => added(idsOf(from), idsOf(to), new Map()) || withoutCondition(to) > withoutCondition(from),
    'Sign-ins with these providers are not asked for a second factor',
    'Trust only providers that always ask for two factors, or give them a condition with `when`.',
  ),
  weakening(
    'second-factor-trust-longer',
    ['twoFactor.trustDeviceMaxAge'],
    more,
    'A browser that a user trusts signs in without a second factor for longer',
  ),
  weakening(
    'second-factor-challenge-longer',
    ['twoFactor.twoFactorCookieMaxAge'],
    more,
    'A sign-in waits longer for its second factor',
  ),
  weakening(
    'step-up-off',
    ['twoFactor.stepUp.enabled'],
    off,
    'A stolen session of a user who has a second factor is enough for dangerous calls',
  ),
  weakening('step-up-longer', ['twoFactor.stepUp.maxAge'], more, 'Dangerous calls accept an older proof of a second factor'),
  weakening(
    'step-up-calls',
    ['twoFactor.stepUp.calls'],
    fewerCalls,
    'Some dangerous calls accept an older proof of a second factor, or none',
    'Remove the paths from twoFactor.stepUp.calls.',
  ),
  weakening(
    'probation-shorter',
    ['twoFactor.newFactorProbationHours'],
    less,
    'A thief with a stolen session can add a factor, and soon remove those of the owner',
  ),
  weakening(
    'second-factor-self-reset',
    ['twoFactor.recovery.selfService'],
    on,
    'A thief who knows the password and reads the emails can remove second factors, after a wait',
  ),
  weakening(
    'second-factor-reset-sooner',
    ['twoFactor.recovery.adminDelayHours', 'twoFactor.recovery.selfServiceHours'],
    less,
    'Users have less time to cancel a reset of their second factors',
  ),
  weakening(
    'second-factor-guessing',
    ['twoFactor.accountLockout.enabled'],
    off,
    'Nothing delays the guesses of someone who knows a password',
  ),
  weakening(
    'second-factor-guessing',
    ['twoFactor.accountLockout.maxFailedAttempts', 'twoFactor.otpOptions.allowedAttempts', 'twoFactor.otpOptions.period'],
    more,
    'A code can be guessed more often, or for longer',
  ),
  weakening(
    'second-factor-guessing',
    ['twoFactor.totpOptions.window', 'twoFactor.totpOptions.period'],
    more,
    'A code of an authenticator app can be guessed for longer',
  ),
  weakening(
    'second-factor-guessing',
    [
      ...['twoFactor.accountLockout.durationSeconds', 'twoFactor.otpOptions.digits', 'twoFactor.totpOptions.digits'],
      'twoFactor.backupCodeOptions.length',
    ],
    less,
    'Fewer guesses find a code',
  ),
  weakening(
    'second-factor-codes-own',
    ['twoFactor.backupCodeOptions.customBackupCodesGenerate'],
    replaced,
    'A function of the configuration makes backup codes',
  ),
  weakening(
    'passkey-domain',
    ['passkey.rpID'],
    (from, to) => from !== undefined && from !== to,
    'Passkeys of the former domain stop working',
    'Keep passkey.rpID. Users with a passkey only could not sign in any more.',
  ),
  weakening(
    'passkey-unverified',
    ['passkey.requireUserVerification'],
    (from, to) => from === true && to === false,
    'Someone who finds a security key can sign in with it',
  ),
  weakening(
    'passkey-without-session',
    ['passkey.registration.requireSession'],
    off,
    'A function of the configuration says whose passkey a visitor registers',
  ),
  weakening(
    'passkey-without-session',
    ['passkey.registration.resolveUser'],
    (from, to) => from !== undefined && to !== undefined && from !== to,
    'Another function says whose passkey a visitor registers',
  ),
  weakening(
    'passkey-approval',
    ['passkey.registration.afterVerification', 'passkey.authentication.afterVerification'],
    (from, to) => from !== undefined && from !== to,
    'The function that may reject passkeys, or sign-ins with them, is another one or none',
  ),
  weakening('passkey-frames', ['passkey.allowedTopOrigins'], added, 'Pages of these origins may embed a page that uses passkeys'),
  weakening('passkey-origins', ['passkey.relatedOrigins'], added, 'Pages on these domains may use the passkeys of users'),
  weakening('passkey-origins', ['passkey.origin'], replaced, 'The option decides which pages may use the passkeys of users'),
]

const entriesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const idsOf = (value: unknown): readonly unknown[] => entriesOf(value).map((entry) => (isObject(entry) ? entry.id : entry))
/** Providers that are trusted whatever their tokens say. */
const withoutCondition = (value: unknown): number =>
  entriesOf(value).filter((entry) => !isObject(entry) || entry.when === undefined).length
