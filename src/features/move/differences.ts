/** The differences that an application moved from better-auth meets first, in the order in which they are met. */

/**
 * What decides whether a difference concerns an application. `always` needs no data: it depends on code that the mover does not read.
 *
 * - `longSessions`: a live session is older than 30 days, or a user has more than 100
 * - `verificationMail`: the application sends verification emails
 * - `unverifiedPasswords`: social providers are enabled, and a user with a password has an unverified email address
 * - `unverifiedInvitees`: organizations are enabled, and the application sends no verification emails
 * - `apiKeys`: there is at least one API key
 * - `phoneNumbers`: the plugin for phone numbers is enabled
 * - `otherOrigins`: `trustedOrigins` names an origin other than that of the base URL, or is a function
 */
export type MoveCondition =
  | 'always'
  | 'longSessions'
  | 'verificationMail'
  | 'unverifiedPasswords'
  | 'unverifiedInvitees'
  | 'apiKeys'
  | 'phoneNumbers'
  | 'otherOrigins'

export interface MoveDifference {
  /** Of its section in docs/moving-from-better-auth.md; the report has it as `id`. */
  readonly anchor: string
  /** What differs, without a full stop. */
  readonly title: string
  readonly condition: MoveCondition
  /** When it applies, as the page says it. */
  readonly applies: string
  /** What restores or replaces the former behaviour; Markdown. */
  readonly change: string
  /** Lines for `auth.config.ts` that restore the former behaviour, as option and value; empty when there is no option. */
  readonly options: Readonly<Record<string, string | number | boolean>>
  /** True when the mover writes `options` into the configuration by itself. */
  readonly isDerived: boolean
}

/** The page that has a section with the anchor of each difference. */
export const movePage = 'docs/moving-from-better-auth.md'

export const moveDifferences: readonly MoveDifference[] = [
  {
    anchor: 'cookie-names',
    title: 'Cookies start with `latchkey`',
    condition: 'always',
    applies: 'always',
    change: "`advanced.cookiePrefix: 'better-auth'`",
    options: { 'advanced.cookiePrefix': 'better-auth' },
    isDerived: true,
  },
  {
    anchor: 'session-limits',
    title: 'Sessions end 30 days after the sign-in, and a user has at most 100',
    condition: 'longSessions',
    applies: 'a live session is older than 30 days, or a user has more than 100',
    change: '`session.absoluteMaxAge: 0`, `session.maxPerUser: 0`',
    options: { 'session.absoluteMaxAge': 0, 'session.maxPerUser': 0 },
    isDerived: true,
  },
  {
    anchor: 'verification-links',
    title: 'A verification link that is opened on another device ends the sessions and the password from before',
    condition: 'verificationMail',
    applies: 'the application sends verification emails',
    change: '`emailVerification.revokeEarlierAccess: false`',
    options: { 'emailVerification.revokeEarlierAccess': false },
    isDerived: false,
  },
  {
    anchor: 'first-social-sign-in',
    title: 'The first social sign-in of an unverified user ends their sessions and their password',
    condition: 'unverifiedPasswords',
    applies: 'social providers are enabled, and users with a password have an unverified email address',
    change: "`account.accountLinking.unverifiedUsers: 'keep'`",
    options: { 'account.accountLinking.unverifiedUsers': 'keep' },
    isDerived: false,
  },
  {
    anchor: 'invitations',
    title: 'Only a verified email address can accept an invitation',
    condition: 'unverifiedInvitees',
    applies: 'organizations are enabled, and the application sends no verification emails',
    change:
      'send verification emails, `organization.requireEmailVerificationOnInvitation: false`, or `--verify-emails` at the move',
    options: { 'organization.requireEmailVerificationOnInvitation': false },
    isDerived: false,
  },
  {
    anchor: 'tables',
    title: 'Tables and columns have other names',
    condition: 'always',
    applies: 'code of the application reads the tables with SQL',
    change: 'none; change the queries, or create the views that `--views` prints',
    options: {},
    isDerived: false,
  },
  {
    anchor: 'api-keys',
    title: 'An API key cannot administer, get tokens or change the session',
    condition: 'apiKeys',
    applies: 'there are API keys',
    change: '`permissions` of the key, for administration; none for the rest',
    options: {},
    isDerived: false,
  },
  {
    anchor: 'phone-numbers',
    title: '`phoneNumber` in sign-up and update is a claim until its owner verifies it',
    condition: 'phoneNumbers',
    applies: 'the plugin for phone numbers is enabled',
    change: 'none; verify the number with a code',
    options: {},
    isDerived: false,
  },
  {
    anchor: 'shared-cookie-jars',
    title: 'A sign-in revokes the session that its request names',
    condition: 'always',
    applies: 'a server or test suite signs in with shared cookies or headers',
    change: '`session.revokePreviousOnSignIn: false`',
    options: { 'session.revokePreviousOnSignIn': false },
    isDerived: false,
  },
  {
    anchor: 'request-limits',
    title: 'Lists, bodies and the origins of requests have limits',
    condition: 'otherOrigins',
    applies: 'calls ask for more than 1,000 rows, send more than 128 KiB, or come from pages of other origins',
    change: '`cursor`, `server.bodyLimit`, `trustedOrigins`',
    options: {},
    isDerived: false,
  },
]
