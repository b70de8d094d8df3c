/** Sign-in, sessions, accounts, roles, organizations and credentials of programs. */
import { added, becomes, less, more, moreOrNone, off, on, replaced, type Weakening, weakening, writable } from './comparisons.ts'

const notices = [
  ...[
    'notices.sendNewSignIn',
    'notices.sendSessionLimit',
    'notices.sendSignInMethodRemoved',
    'notices.sendAccountBanned',
    'notices.sendAccountImpersonated',
    'notices.sendAccountDeleted',
  ],
  ...['emailAndPassword.sendPasswordChanged', 'user.changeEmail.sendEmailChanged', 'account.accountLinking.sendAccountLinked'],
  ...['apiKey.sendApiKeyCreated', 'phoneNumber.sendPhoneNumberChanged'],
]
/** Seconds of a duration such as `15m`; null when it is unknown. */
function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  const [, amount, unit = 's'] = /^(\d+)\s*([smhdwy])/.exec(typeof value === 'string' ? value : '') ?? []
  const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_557_600 }
  return amount === undefined ? null : Number(amount) * (units[unit] ?? 1)
}

export const accountWeakenings: readonly Weakening[] = [
  weakening(
    'password-shorter',
    ['emailAndPassword.minPasswordLength'],
    less,
    'New passwords may be shorter',
    'Set 15 characters (NIST SP 800-63B), or at least the default.',
  ),
  weakening('password-common', ['passwordRules.blockCommon'], off, 'Passwords that every attacker tries first are accepted'),
  weakening('password-context', ['passwordRules.contextWords'], off, "A password may be the user's own name or email address"),
  weakening('password-breached', ['haveIBeenPwned.rangeURL'], replaced, 'Another host decides which passwords are breached'),
  weakening('password-hash-cheaper', ['passwordHash.memory', 'passwordHash.iterations'], less, 'A stolen hash is guessed faster'),
  weakening(
    'password-hash-own',
    ['emailAndPassword.password.hash', 'emailAndPassword.password.verify'],
    replaced,
    'Passwords are hashed by a function of the configuration',
  ),
  weakening(
    'password-queue-longer',
    ['passwordHash.queue', 'passwordHash.concurrency'],
    more,
    'A flood of sign-ins may run more hashes concurrently',
  ),
  weakening(
    'verification-off',
    ['emailAndPassword.requireEmailVerification', 'emailAndPassword.antiEnumeration'],
    (from, to) => from === true && to === false,
    'A protection of sign-up is off',
  ),
  weakening(
    'verification-mail-off',
    ['emailVerification.sendVerificationEmail', 'emailAndPassword.sendResetPassword'],
    off,
    'Users cannot verify an email address, or reset a password by email',
  ),
  weakening(
    'verification-sign-in',
    ['emailVerification.autoSignInAfterVerification'],
    on,
    'Opening a verification link signs the browser in',
  ),
  weakening(
    'earlier-access-kept',
    ['emailVerification.revokeEarlierAccess'],
    off,
    "Someone who signed up with another person's address keeps access",
  ),
  weakening(
    'link-longer',
    [
      'emailVerification.expiresIn',
      'emailAndPassword.resetPasswordTokenExpiresIn',
      'seed.setupLinkExpiresIn',
      'user.deleteUser.deleteTokenExpiresIn',
      'organization.invitationExpiresIn',
      'oneTimeToken.expiresIn',
    ],
    more,
    'A link or token from an old message works longer',
  ),
  weakening(
    'reset-keeps-sessions',
    ['emailAndPassword.revokeSessionsOnPasswordReset'],
    off,
    'A thief stays signed in after the owner resets the password',
  ),
  weakening('phone-sign-up', ['phoneNumber.signUpOnVerification'], replaced, 'An unknown phone number creates an account'),
  weakening('phone-unverified', ['phoneNumber.requireVerification'], off, 'Phone numbers that were not verified sign in'),
  weakening(
    'phone-rules',
    ['phoneNumber.phoneNumberValidator'],
    replaced,
    'A function of the configuration decides which phone numbers are valid',
  ),
  weakening('otp-weaker', ['phoneNumber.otpLength'], less, 'A code is guessed with fewer tries'),
  weakening(
    'otp-weaker',
    ['phoneNumber.allowedAttempts', 'phoneNumber.expiresIn'],
    more,
    'A code can be guessed more often, or for longer',
  ),
  weakening('anonymous-on', ['anonymous.enabled'], on, 'Anyone gets a session without an account'),
  weakening('session-longer', ['session.expiresIn'], more, 'Someone who steals a session cookie can use it longer'),
  weakening('session-endless', ['session.absoluteMaxAge'], moreOrNone, 'A session that is used ends later, or never'),
  weakening('session-fresh-longer', ['session.freshAge'], moreOrNone, 'Dangerous calls accept an older sign-in'),
  weakening('session-fresh-longer', ['session.freshFor'], becomes('reference'), 'Dangerous calls accept an older sign-in'),
  weakening('session-more', ['session.maxPerUser'], moreOrNone, 'A user may have more sessions'),
  weakening('session-more', ['multiSession.maximumSessions'], more, 'A browser may have more sessions'),
  weakening('session-previous-kept', ['session.revokePreviousOnSignIn'], off, 'The session before a sign-in stays valid'),
  weakening(
    'session-copy-longer',
    ['session.cookieCache.maxAge'],
    more,
    'Without Redis, a revoked session may be accepted longer',
  ),
  weakening(
    'session-token-shown',
    ['session.exposeToken'],
    (from, to) => from !== to && to === true,
    'Scripts can read the session token in responses',
  ),
  weakening(
    'site-data',
    ['session.clearSiteData'],
    (from, to) => [from].flat().some((one) => one !== undefined && ![to].flat().includes(one)),
    'Less is deleted from a shared computer at sign-out',
  ),
  weakening(
    'field-of-power',
    ['user.additionalFields'],
    writable(/admin|root|super|staff|owner|role|permission|privilege|scope|verified|approved|banned|credit|balance/i),
    'Users set a field themselves whose name says that it gives power',
    'Set `input: false` for the field, so that only your servers and administrators set it.',
  ),
  weakening(
    'fresh-not-needed',
    [
      'user.changeEmail.requireFreshSession',
      'phoneNumber.requireFreshSession',
      'admin.impersonationRequiresFreshSession',
      'admin.requireFreshSession',
    ],
    off,
    'A stolen cookie is enough for what should need a recent sign-in',
  ),
  weakening(
    'confirmation-off',
    ['user.changeEmail.sendChangeEmailVerification', 'user.deleteUser.sendDeleteAccountVerification'],
    off,
    'One call without an email is enough',
  ),
  weakening('notice-off', notices, off, 'The owner of an account does not learn of a change'),
  weakening('admin-added', ['admin.adminUserIds'], added, 'These users have every permission, whatever their roles are'),
  weakening('admin-power', ['admin.allowImpersonatingAdmins'], on, 'Administrators can act as other administrators'),
  weakening(
    'roles-unchecked',
    ['organization.checkRoles'],
    off,
    'A name without a role gets power when a role of that name is created',
  ),
  weakening(
    'invitation-unverified',
    ['organization.requireEmailVerificationOnInvitation'],
    off,
    'An invitation is accepted with an email address that was not verified',
  ),
  weakening(
    'organization-larger',
    ['organization.invitationLimit', 'organization.membershipLimit'],
    more,
    'An organization may have more members or pending invitations',
  ),
  weakening('api-key-longer', ['apiKey.keepOnPasswordReset'], on, 'A stolen key works after the owner resets the password'),
  weakening(
    'api-key-longer',
    ['apiKey.keyExpiration.maxExpiresIn', 'apiKey.maximumKeysPerUser'],
    more,
    'A stolen key may work longer, or users may have more of them',
  ),
  weakening('api-key-weaker', ['apiKey.defaultKeyLength'], less, 'Keys are easier to guess'),
  weakening(
    'api-key-weaker',
    ['apiKey.customKeyGenerator', 'apiKey.customAPIKeyValidator', 'oneTimeToken.generateToken'],
    replaced,
    'A function of the configuration makes or checks secrets',
  ),
  weakening('api-key-power', ['apiKey.permissions.defaultPermissions'], replaced, 'Keys permit something without being given it'),
  weakening(
    'jwt-longer',
    ['jwt.jwt.expirationTime'],
    (from, to) => (secondsOf(to) ?? Number.POSITIVE_INFINITY) > (secondsOf(from) ?? 0),
    'A token stays valid longer after a user is banned',
  ),
  weakening('jwt-longer', ['jwt.jwks.gracePeriod'], more, 'A retired signing key is accepted longer'),
  weakening('jwt-plain-keys', ['jwt.jwks.disablePrivateKeyEncryption'], on, 'Someone who reads the database can sign tokens'),
  weakening('jwt-rotation', ['jwt.jwks.rotationInterval'], moreOrNone, 'A signing key is used longer'),
  weakening(
    'bearer-unsigned',
    ['bearer.enabled'],
    (_, to, all) => to === true && all.get('bearer.requireSignature') === false,
    'A token from a response is enough to be signed in',
    'Set bearer.requireSignature.',
  ),
]
