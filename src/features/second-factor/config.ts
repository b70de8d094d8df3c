/** The options of second factors, and what is wrong between them (contract 11 §1). */
import { z } from 'zod'
import { type ConfigIssue, callback, group, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { longestMaxAge } from '../../lib/cookie.ts'
import { isOnOrigin, originMatcher } from '../../lib/url.ts'
import type { Config } from '../index.ts'
import { mailTemplates } from '../outbox/index.ts'
import type { DescribedUser } from '../users/index.ts'
import type { CodeMail } from './code-messages.ts'
import type { FactorNotice } from './factor-notice.ts'
import type { ResetNotice } from './reset-mail.ts'
import { ruleOptions } from './rules.ts'

/** As `otpOptions.sendOTP` gets it. */
export interface SentCode {
  readonly user: DescribedUser
  readonly otp: string
}

export const channels = ['sms', 'email'] as const
export type Channel = (typeof channels)[number]

/** A month: the user gets one email in between. */
const longestWaitHours = 720

const trustedProvider = z.union([
  z.string(),
  z.strictObject({
    id: z.string().describe('ID of the provider'),
    when: z
      .strictObject({ amr: z.string().describe('A method that the ID token must name in `amr`, such as `mfa`') })
      .optional()
      .describe('Only then; default: always'),
  }),
])

export const config = {
  ...cookieOptions('two_factor', 'trust_device', 'two_factor_method'),
  ...mailTemplates<{
    'two-factor-enabled': FactorNotice
    'two-factor-disabled': FactorNotice
    'backup-code-used': FactorNotice
    'backup-codes-low': FactorNotice
    'backup-codes-created': FactorNotice
    'password-may-be-known': FactorNotice
    'trusted-browser-copied': FactorNotice
    'two-factor-suspended': FactorNotice
    'two-factor-reset': ResetNotice
    'two-factor-reset-code': CodeMail
    'two-factor-code': CodeMail
  }>({
    'two-factor-enabled': 'that notifies of a new second factor',
    'two-factor-disabled': 'that notifies of a removed second factor',
    'backup-code-used': 'that notifies of a used backup code',
    'backup-codes-low': 'that notifies of few backup codes that are left',
    'backup-codes-created': 'that notifies of new backup codes',
    'password-may-be-known': 'that notifies of a right password without the second factor',
    'trusted-browser-copied': 'that notifies of a trusted browser whose cookie was copied',
    'two-factor-suspended': 'that notifies of too many wrong codes',
    'two-factor-reset': 'that notifies of a reset of second factors: requested, soon, done',
    'two-factor-reset-code': 'with a code that requests a reset of second factors',
    'two-factor-code': 'with a code as second factor',
  }),
  twoFactor: section('A second factor at sign-in: codes of authenticator apps, codes by text message or email, backup codes', {
    issuer: z.string().min(1).max(64).optional().describe('Name in authenticator apps; default: `appName`'),
    skipVerificationOnEnable: z
      .boolean()
      .default(false)
      .describe('Enable authenticator apps without a first code; a user who scanned nothing is then locked out'),
    allowPasswordless: z
      .boolean()
      .default(true)
      .describe('Let users without a password enable a second factor, with a sign-in within `twoFactor.stepUp.maxAge`'),
    twoFactorCookieMaxAge: z.int().min(60).max(3600).default(600).describe('Seconds between the first and the second factor'),
    trustDeviceMaxAge: z
      .int()
      .min(0)
      .max(longestMaxAge)
      .default(2_592_000)
      .describe('Seconds for which a browser that the user trusts needs no second factor; 0: users cannot trust browsers'),
    totpOptions: group('Codes of authenticator apps (TOTP, RFC 6238)', {
      digits: z
        .union([z.literal(6), z.literal(8)])
        .default(6)
        .describe('Digits of a code; many apps know 6 only'),
      period: z.int().min(15).max(120).default(30).describe('Seconds for which a code is shown'),
      window: z
        .union([z.literal(0), z.literal(1)])
        .default(1)
        .describe('Codes before and after the current one that are accepted'),
      disable: z.boolean().default(false).describe('Turn authenticator apps off'),
      issuer: z.string().min(1).max(64).optional().describe('Name in authenticator apps; default: `twoFactor.issuer`'),
      allowReveal: z.boolean().default(true).describe('Let users see the secret of an app that they have set up'),
    }),
    otpOptions: group('Codes that are sent', {
      channels: z
        .array(z.enum(channels))
        .default(['sms'])
        .describe(
          '`sms`: to verified phone numbers (`phoneNumber`); `email`: weaker, because the mailbox often resets the password too',
        ),
      digits: z.int().min(6).max(10).default(6).describe('Digits of a code'),
      period: z.number().min(1).max(10).default(10).describe('Minutes for which a code works'),
      allowedAttempts: z.int().min(1).max(10).default(5).describe('Wrong codes after which a new code is needed'),
      sendOTP: callback<(code: SentCode) => unknown>()
        .optional()
        .describe('Function that sends a code, with `{ user, otp }`; default: a text message or an email'),
    }),
    backupCodeOptions: group('Backup codes', {
      amount: z.int().min(1).max(20).default(10).describe('Number of codes'),
      length: z.int().min(8).max(64).default(10).describe('Characters of a code'),
      customBackupCodesGenerate: callback<() => string[]>()
        .optional()
        .describe('Function that returns the codes, each of at least 8 characters that cannot be guessed'),
    }),
    accountLockout: group('Delay after wrong codes, for all sign-ins of one user together', {
      enabled: z.boolean().default(true).describe('Delay further codes'),
      maxFailedAttempts: z
        .int()
        .min(3)
        .max(50)
        .default(10)
        .describe('Consecutive wrong codes before the first delay, of 30 seconds'),
      durationSeconds: z.int().min(30).max(86_400).default(900).describe('Maximum delay in seconds; doubled up to it'),
    }),
    required: ruleOptions,
    trustProviders: z
      .array(trustedProvider)
      .default([])
      .describe('Social providers whose sign-in counts as two factors: IDs, or objects with `id` and `when`'),
    pageURL: z.url().optional().describe('Page of the application for the second factor, after a link or a social sign-in'),
    stepUp: group('Proof of a second factor before dangerous calls, by users who have one', {
      enabled: z.boolean().default(true).describe('Demand it'),
      maxAge: z.int().min(60).max(86_400).default(900).describe('Seconds for which a proof is recent enough'),
      calls: z
        .record(z.string().startsWith('/'), z.union([z.int().min(60).max(86_400), z.literal(false)]))
        .default({})
        .describe('Other ages for single paths; `false` demands nothing'),
    }),
    newFactorProbationHours: z
      .int()
      .min(0)
      .max(720)
      .default(24)
      .describe(
        'Hours in which a further factor cannot be used to remove others, change the email address or delete the account; 0: none',
      ),
    recovery: group('Resets of second factors that users have lost', {
      adminDelayHours: z
        .int()
        .min(0)
        .max(longestWaitHours)
        .default(0)
        .describe('Hours until a reset by an administrator or operator takes effect; the user can cancel it until then'),
      selfService: z
        .boolean()
        .default(false)
        .describe('Let users request a reset at sign-in, with codes to their verified email address and phone number'),
      selfServiceHours: z
        .int()
        .min(24)
        .max(longestWaitHours)
        .default(72)
        .describe('Hours until a reset that a user requested takes effect'),
    }),
  }),
}

const path = (option: string) => `twoFactor.${option}`

/** Rules between options. The warnings of `config check` are in `src/cli/doctor`. */
export function checkConfig({ twoFactor, trustedOrigins, phoneNumber, mail }: Config): ConfigIssue[] {
  if (!twoFactor.enabled) return []
  const { totpOptions, otpOptions, pageURL } = twoFactor
  const issues: ConfigIssue[] = []
  const sendsText = otpOptions.channels.includes('sms') && phoneNumber.enabled
  const sendsMail = otpOptions.channels.includes('email') && (mail.enabled || otpOptions.sendOTP !== undefined)
  if (totpOptions.disable && !sendsText && !sendsMail)
    issues.push({
      id: 'two-factor-methods',
      path: path('totpOptions.disable'),
      message: 'There is no second factor that users could set up.',
      hint: 'Leave authenticator apps on, or let codes be sent.',
    })
  // The origins that a function returns are known with a request only.
  const isTrusted = typeof trustedOrigins === 'function' || isOnOrigin(pageURL ?? '', trustedOrigins.map(originMatcher))
  if (pageURL !== undefined && !isTrusted)
    issues.push({
      id: 'two-factor-page',
      path: path('pageURL'),
      message: 'The page for the second factor is not on a trusted origin.',
      hint: 'Add its origin to trustedOrigins.',
    })
  return issues
}
