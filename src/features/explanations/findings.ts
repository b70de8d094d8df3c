/** What holds now for a user, an email address or an IP address, from the functions that decide. Changes nothing. */
import type { App } from '../../core/app.ts'
import type { CallReport } from '../../core/installation.ts'
import type { UserRow } from '../../core/request.ts'
import type { SignInStep } from '../../core/sign-in.ts'
import { decideSignUp, isAdmitted } from '../../core/sign-up.ts'
import { isPublicAddress } from '../../lib/ip.ts'
import { isBanned } from '../admin/index.ts'
import { explainAttempts } from '../attempts/index.ts'
import { readFreezes } from '../incidents/index.ts'
import { explainCodes, explainMailedCodes } from '../operations/index.ts'
import { explainSignIn } from '../sign-in-explanation/index.ts'

/** The findings with their sentences; `NAME` stands for a value. */
export const sentences = {
  'user-not-found': 'No user has this email address or ID. It may be mistyped, or the user was deleted.',
  'user-found': 'The user was created on CREATED.',
  banned: 'The user is banned until UNTIL.',
  locked: 'The account is locked since SINCE.',
  'sign-in-frozen': 'An operator has frozen sign-in since SINCE.',
  'sign-up-frozen': 'An operator has frozen sign-up since SINCE.',
  'writes-frozen': 'An operator has frozen all changes since SINCE.',
  'sign-up-rejected': 'The sign-up policy rejects a new user with this address: REASON.',
  'email-unverified': 'The email address is not verified, and sign-in requires it.',
  lockout: 'Sign-in is locked for WAIT s, after FAILURES consecutive failures.',
  'factor-lockout': 'Codes of the second factor are locked for WAIT s, after FAILURES wrong ones.',
  'factor-suspended': 'Codes of the second factor are off, after 100 wrong ones. Reset the factors of the user.',
  'code-lockout': 'Codes by email are locked for WAIT s, after FAILURES wrong ones.',
  'mail-limit': 'No codes and links are sent to this address for WAIT s.',
  'rate-limit': 'CALL is limited for WAIT s: COUNT of MAX requests in WINDOW s.',
  'rate-limits-off': 'Rate limits are off.',
  'rate-limits-unseen': 'The counters of rate limits are in the memory of daemons, and none is visible here.',
  'private-address':
    'This is an address of a private network, probably of your proxy: set `server.trustedProxies` to its network, so that clients have addresses of their own.',
  'addresses-not-stored': 'IP addresses are not stored, so that refusals cannot be found by them.',
  'nothing-recorded':
    'No refusal is recorded for this request. It succeeded, its input was invalid, or the event was deleted. Look for the ID in the log: `latchkey logs`.',
  'request-time': 'The request came at TIME.',
  'code-unknown': 'No call, redirect or command has this code; functions of the configuration may have codes of their own.',
  'no-refusals': 'No refusal is recorded.',
} as const
export type FindingId = keyof typeof sentences

export interface Finding {
  readonly id: FindingId
  /** `blocks`: it refuses calls now. */
  readonly state: 'blocks' | 'note'
  /** With which calls are rejected. */
  readonly code: string | null
  /** Paths of options. */
  readonly settings: readonly string[]
  readonly values: Readonly<Record<string, string | number>>
}

type Values = Finding['values']

export const note = (id: FindingId, values: Values = {}, settings: readonly string[] = []): Finding => ({
  ...{ id, values, settings },
  state: 'note',
  code: null,
})
const blocks = (id: FindingId, code: string | null, values: Values, settings: readonly string[]): Finding => ({
  ...{ id, code, values, settings },
  state: 'blocks',
})

/** The sentence of a finding in English. */
export const sentenceOf = ({ id, values }: Pick<Finding, 'id' | 'values'>): string =>
  sentences[id].replaceAll(/[A-Z]{3,}/g, (name) => String(values[name.toLowerCase()] ?? name))

const tooMany = 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER'

/** What limits an account, whether or not a user has the address. */
export async function findingsOfAccount(app: App, email: string): Promise<Finding[]> {
  const [{ account }, factor, mailed] = await Promise.all([
    explainAttempts(app, email, null),
    explainCodes(app, email),
    explainMailedCodes(app, email),
  ])
  const found: (Finding | false | null | undefined)[] = [
    account.wait > 0 && blocks('lockout', tooMany, pick(account), ['attempts.perAccount']),
    factor?.isSuspended && blocks('factor-suspended', 'INVALID_CODE', {}, ['twoFactor.accountLockout.maxFailedAttempts']),
    factor && !factor.isSuspended && factor.wait > 0
      ? blocks('factor-lockout', 'ACCOUNT_TEMPORARILY_LOCKED', pick(factor), ['twoFactor.accountLockout.durationSeconds'])
      : null,
    mailed && mailed.wait > 0 && blocks('code-lockout', 'TOO_MANY_ATTEMPTS', pick(mailed), ['emailOTP.allowedAttempts']),
    mailed && mailed.sendsIn > 0 && blocks('mail-limit', null, { wait: mailed.sendsIn }, ['mailLimit.max', 'mailLimit.window']),
  ]
  return [...(await freezes(app)), ...found.filter((one) => one !== null && one !== undefined && one !== false)]
}

const frozenCodes = { 'sign-up': 'SIGN_UP_FROZEN', 'sign-in': 'SIGN_IN_FROZEN', writes: 'READ_ONLY' } as const

/** What is frozen now. */
export const freezes = async (app: App): Promise<Finding[]> =>
  (await readFreezes(app)).map(({ kind, since }) =>
    blocks(`${kind}-frozen`, frozenCodes[kind], { since: since.toISOString() }, []),
  )

/** Whether someone could sign up with an address that belongs to no user. */
export async function findingsOfSignUp(app: App, email: string): Promise<Finding[]> {
  const decision = await decideSignUp(app, { email: email.toLowerCase() })
  const { rejection } = decision
  if (!rejection || isAdmitted(decision)) return []
  const { rejected, setting, entry, file, line } = rejection
  const place = file === undefined ? entry : `${entry} (${file}:${line})`
  const reason = place === undefined ? rejected : `${rejected}, ${place}`
  return [blocks('sign-up-rejected', 'SIGN_UP_NOT_ALLOWED', { reason }, [setting])]
}

const pick = ({ failures, wait }: { readonly failures: number; readonly wait: number }) => ({ failures, wait })

export interface UserState {
  readonly findings: readonly Finding[]
  /** The decisions of the next sign-in. */
  readonly signIn: readonly SignInStep[]
}

export async function stateOfUser(app: App, user: UserRow): Promise<UserState> {
  const { banExpires, createdAt, lockedAt } = user
  const requires = app.config.emailAndPassword.requireEmailVerification && !user.emailVerified
  const verification = ['emailAndPassword.requireEmailVerification']
  return {
    findings: [
      note('user-found', { created: createdAt.toISOString() }),
      ...(isBanned(app, user)
        ? [blocks('banned', 'BANNED_USER', { until: banExpires?.toISOString() ?? 'an administrator lifts it' }, [])]
        : []),
      ...(lockedAt ? [blocks('locked', 'ACCOUNT_LOCKED', { since: lockedAt.toISOString() }, [])] : []),
      ...(requires ? [blocks('email-unverified', 'EMAIL_NOT_VERIFIED', {}, verification)] : []),
      ...(await findingsOfAccount(app, user.email)),
    ],
    signIn: app.config.admin.enabled ? await explainSignIn(app, user) : [],
  }
}

/** @param report null: no daemon knows */
export function findingsOfAddress({ config }: App, address: string, report: CallReport | null): Finding[] {
  const { disableIpTracking } = config.advanced.ipAddress
  const limits = (report?.calls ?? []).flatMap(({ method, pattern, wait, count, rule }) => {
    if (!wait || typeof rule !== 'object') return []
    const call = pattern === null ? 'other paths' : `${method ?? ''} ${pattern}`
    const values = { call, wait, count: count ?? 0, max: rule.max, window: rule.window }
    return [blocks('rate-limit', tooMany, values, ['rateLimit.customRules', 'rateLimit.window', 'rateLimit.max'])]
  })
  return [
    ...(isPublicAddress(address) ? [] : [note('private-address', {}, ['server.trustedProxies'])]),
    ...(disableIpTracking ? [note('addresses-not-stored', {}, ['advanced.ipAddress.disableIpTracking'])] : []),
    ...(report && !report.enabled ? [note('rate-limits-off', {}, ['rateLimit.enabled'])] : []),
    ...(report?.seen === false ? [note('rate-limits-unseen', {}, ['rateLimit.storage'])] : []),
    ...limits,
  ]
}
