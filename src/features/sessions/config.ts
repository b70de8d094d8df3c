/** Configuration, table, view and audit actions of sessions. */
import { z } from 'zod'
import { type ConfigIssue, flagged, group } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { type Feature, ofAccount, settings } from '../../core/feature.ts'
import { viewOf } from '../../core/schemas.ts'
import { signInMethodsOf } from '../../core/sign-in.ts'
import {
  bigint,
  boolean,
  hidden,
  id,
  index,
  internal,
  nullable,
  references,
  secret,
  string,
  type Tables,
  text,
  timestamp,
  unique,
} from '../../core/table.ts'
import { hookable } from '../../core/write.ts'
import { longestMaxAge } from '../../lib/cookie.ts'
import { additionalColumns, additionalFieldIssues, additionalFields } from '../custom-fields/index.ts'
import type { Config, DeclaredTables } from '../index.ts'

/**
 * Contract 08, except for the token: the row has a keyed hash of it, so that a leaked table does not allow signing in.
 * `authenticatedAt` is set only by an authentication and decides freshness; a renewal does not change it. `remembered` is false
 * for a session that ends with the browser: a client could leave out the cookie that says so. `acr` and `amr` (a JSON list) say how
 * its user was authenticated; `acr` is null for one factor. `signInMethod` is a method as the audit log names it, such as `password`; null for a session
 * from before there was the column, and for an impersonation. `strongUsedAt` (milliseconds since 1970): when a session with two was last used.
 */
export const tables = {
  session: {
    id: id(),
    expiresAt: timestamp(),
    tokenHash: secret(unique(string({ length: 64 }))),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    ipAddress: nullable(string({ length: 64 })),
    userAgent: nullable(text()),
    userId: references('user'),
    authenticatedAt: hidden(nullable(timestamp())),
    remembered: internal(boolean({ default: true })),
    acr: internal(nullable(string({ length: 32 }))),
    amr: internal(nullable(string())),
    strongUsedAt: internal(nullable(bigint())),
    signInMethod: internal(nullable(string({ length: 64 }))),
  },
}

export const indexes = { session: [index('userId', 'expiresAt'), index('expiresAt')] }

export const configuredTables = ({ session }: Pick<Config, 'session'>): Tables => ({
  session: additionalColumns(session.additionalFields),
})

type OwnColumn = keyof (typeof tables)['session']

/**
 * A session as its owner sees it: the visible columns, and the token that the call presented, or the id in its place. Columns of
 * other features are missing when the credential is not a session.
 * @param more members that are not columns, for which the compiler does not know the type
 */
export const fullSession = ({ session }: Tables, title = 'Session', more: Readonly<Record<string, z.ZodType>> = {}) =>
  viewOf<DeclaredTables['session'], { token: string }, OwnColumn>(
    session,
    { token: z.string(), ...more },
    Object.keys(tables.session),
  ).meta({ title })

export const config = {
  signIn: group('The sign-in page', {
    page: z
      .enum(['all', 'identifier-first'])
      .default('all')
      .describe(
        '`all`: all methods on one page; `identifier-first`: the email address, username or phone number first, then one method and a way to the others. The server is not asked about them in between',
      ),
    order: z
      .array(z.string())
      .refine((names) => new Set(names).size === names.length, 'Expected each method once')
      .default([])
      .describe(
        'Names of enabled sign-in methods, such as `passkey`, `password`, `email-code`, `magic-link`, `social` and `phone-number`, in the order in which the page offers them; the others follow',
      ),
    rememberAccount: z
      .boolean()
      .default(false)
      .describe(
        'Offer "Continue as Ann": after a sign-in with "Keep me signed in", the browser stores the name and the email address until the user removes them',
      ),
  }),
  ...cookieOptions('session_token', 'session_data', 'dont_remember'),
  ...hookable('session', 'sessions'),
  session: group('Sessions', {
    expiresIn: z.int().positive().default(604_800).describe('Session lifetime in seconds, counted from the last renewal'),
    updateAge: z
      .int()
      .nonnegative()
      .default(86_400)
      .describe('Seconds after which a session in use is renewed; 0: at every use; `expiresIn` or more: never'),
    disableSessionRefresh: z.boolean().default(false).describe('Disable the renewal of sessions'),
    freshAge: z
      .int()
      .nonnegative()
      .default(86_400)
      .describe('Seconds after sign-in during which a session is fresh, as sensitive calls require; 0: always fresh'),
    freshFor: z
      .enum(['reference', 'sensitive'])
      .default('reference')
      .describe(
        "Which of the users' own calls require a fresh session: those of better-auth, or also those that add or remove a sign-in method or an API key, revoke sessions, or give or destroy power in organizations (ASVS 7.5.1). Pages ask to sign in again in place",
      ),
    additionalFields: additionalFields(),
    cookieCache: flagged('Cache session and user in a signed cookie; Redis invalidates it when they change', {
      maxAge: z.int().positive().max(longestMaxAge).default(60).describe('Lifetime of the cached copy in seconds'),
    }),
    exposeToken: z
      .boolean()
      .default(true)
      .describe(
        'Return the session token in responses, for clients without cookies; `false`: return the session ID instead (ASVS 3.3.4)',
      ),
    clearSiteData: z
      .array(z.enum(['cache', 'cookies', 'storage']))
      .default(['cache'])
      .describe(
        'What browsers delete of this origin after sign-out (Clear-Site-Data): `cookies` and `storage` also delete those of applications on the same domain; an empty list: nothing',
      ),
    quietRevocation: z
      .boolean()
      .default(false)
      .describe(
        'Let /revoke-session succeed, without effect, for unknown sessions and sessions of other users, as better-auth 1.7 does',
      ),
    maxPerUser: z
      .int()
      .nonnegative()
      .default(100)
      .describe('Maximum number of sessions of a user; a further sign-in revokes the oldest. 0: 10,000'),
    revokePreviousOnSignIn: z
      .boolean()
      .default(true)
      .describe('At sign-in, revoke the session that the same browser had before (ASVS 7.2.4)'),
    exposeAuthentication: z
      .boolean()
      .default(false)
      .describe(
        'Return `acr`, `amr` and `authenticatedAt` with the session of `/get-session`: how the user was authenticated, and when',
      ),
    strong: group('How long a session counts as authenticated with two factors; the user stays signed in with one', {
      maxAge: z
        .int()
        .nonnegative()
        .default(0)
        .describe('Seconds after the second factor was proven; 0: no limit (NIST SP 800-63B advises 24 hours)'),
      idle: z
        .int()
        .nonnegative()
        .default(0)
        .describe('Seconds without use of the session; 0: no limit (NIST SP 800-63B advises 1 hour)'),
    }),
    absoluteMaxAge: z
      .int()
      .nonnegative()
      .default(2_592_000)
      .describe(
        'Maximum lifetime of a session in seconds, however often it is renewed; 0: no limit (NIST SP 800-63B advises 30 days)',
      ),
  }),
}

/** A field of every session in a response, but not a column. */
const reserved = ['token']

/** A method that signs in new users only is not on the sign-in page. */
function orderIssues(config: Config, enabled: readonly Feature[]): ConfigIssue[] {
  const names = signInMethodsOf(enabled, config).flatMap(({ name, expects }) => (expects ? [name] : []))
  return config.signIn.order
    .filter((name) => !names.includes(name))
    .map((name) => ({
      id: 'sign-in-order',
      path: 'signIn.order',
      message: `signIn.order names ${JSON.stringify(name)}, which is not an enabled sign-in method.`,
      hint: names.length > 0 ? `The enabled methods are ${names.join(', ')}.` : 'Enable a sign-in method.',
    }))
}

export function checkConfig(config: Config, enabled: readonly Feature[]): ConfigIssue[] {
  const { session } = config
  const taken = [...reserved, ...Object.keys(tables.session)]
  const issues = [...additionalFieldIssues('session', session.additionalFields, taken, enabled), ...orderIssues(config, enabled)]
  if (session.expiresIn > longestMaxAge) {
    issues.push({
      id: 'session-cookie-max-age',
      path: 'session.expiresIn',
      message: 'A cookie lives at most 400 days (34560000 seconds).',
    })
  }
  return issues
}

export const publicSettings = settings(
  {
    session: z.object({ freshAge: z.int().meta({ description: 'In seconds; 0: always fresh' }) }),
    signIn: z.object({
      methods: z.array(z.string()).meta({ description: 'The enabled methods', examples: [['password', 'social']] }),
      challenges: z.array(z.object({ name: z.string(), page: z.string() })).meta({
        description: 'What a sign-in may demand before it creates a session, and the path of the hosted page for it',
        examples: [[{ name: 'two-factor', page: '/two-factor' }]],
      }),
      page: z.enum(['all', 'identifier-first']).meta({ description: 'What the sign-in page shows first' }),
      order: z
        .array(z.string())
        .meta({ description: 'Methods that the sign-in page offers before the others', examples: [['passkey', 'password']] }),
      rememberAccount: z.boolean().meta({ description: 'The pages offer the account that was used last in the browser' }),
    }),
  },
  (config, features) => ({
    session: { freshAge: config.session.freshAge },
    signIn: {
      ...config.signIn,
      methods: signInMethodsOf(features, config).map(({ name }) => name),
      challenges: features.flatMap(({ challenge }) =>
        challenge && (challenge.exists?.(config) ?? true) ? [{ name: challenge.name, page: challenge.page }] : [],
      ),
    },
  }),
)

export const auditActions = {
  'user.signed-in': ofAccount(
    'A user signed in; `method` is how, such as `password`; `reason` is why a second factor was demanded or not',
  ),
  'user.signed-out': ofAccount('A user signed out'),
  'sessions.revoked': ofAccount(
    'Sessions of a user, or of all users, were revoked; `reason` is absent when someone asked for it, and else `replaced`, `limit`, `browser-limit`, `password-changed`, `email-verified` or `impersonation-ended`',
  ),
  'session.updated': 'Custom fields of a session were changed; `fields` has their names',
}
