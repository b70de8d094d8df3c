/** The second factors with which a user can answer a challenge, and the one place that decides which are offered. */
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import type { Proof, SecondFactor, Usability } from '../../core/sign-in.ts'
import type { Config } from '../index.ts'
import { canSend, canSendText } from '../outbox/index.ts'
import { amrOf } from '../sessions/index.ts'
import { countBackupCodes } from './backup-codes.ts'
import { texts } from './code-messages.ts'
import { type Channel, channels } from './config.ts'
import { mails } from './mails.ts'
import { clockOf, type FactorRow, findFactors, type Method } from './model.ts'

/** Whether codes can be sent by this channel under the configuration. */
export function sendsBy({ config, mailer }: Pick<App, 'config' | 'mailer'>, channel: Channel): boolean {
  if (!config.twoFactor.otpOptions.channels.includes(channel)) return false
  if (channel === 'email') return canSend({ config, mailer }, mails['two-factor-code'])
  return config.phoneNumber.enabled && canSendText(config, texts['two-factor-code'])
}

export const sendsCodes = (app: Pick<App, 'config' | 'mailer'>): boolean => channels.some((channel) => sendsBy(app, channel))

/** Where a code would go: a verified number, or a verified address; null when the user has none. */
export function recipientOf(
  user: Pick<UserRow, 'email' | 'emailVerified' | 'phoneNumber' | 'phoneNumberVerified'>,
  channel: Channel,
): string | null {
  if (channel === 'email') return user.emailVerified ? user.email : null
  return user.phoneNumberVerified ? user.phoneNumber : null
}

/** The channels by which codes can be sent to a user under this configuration. */
export const reachableChannels = (app: App, user: UserRow): Channel[] =>
  channels.filter((channel) => sendsBy(app, channel) && recipientOf(user, channel) !== null)

/** Such as `•••• ••67`, or `a…@example.com`. */
export function shortened(recipient: string): string {
  const [name = '', domain] = recipient.split('@')
  return domain === undefined ? `•••• ••${recipient.slice(-2)}` : `${name.slice(0, 1)}…@${domain}`
}

export const channelsOf = ({ otpChannels }: Pick<FactorRow, 'otpChannels'>): readonly Channel[] =>
  channels.filter((channel) => otpChannels?.split(',').includes(channel))

/** @param proof of the first factor; null: every way that the user has counts */
type First = Pick<Proof, 'amr'> | null

/** The first factor of a session, which `amr` begins with: a code that was sent has two values there, anything else one. */
export function firstFactorOf(session: Pick<SessionView, 'amr'>): Pick<Proof, 'amr'> {
  const all = amrOf(session)
  return { amr: all.slice(0, all[0] === 'otp' ? 2 : 1) }
}

/** Whether a code can be sent to a user by a channel now. Two proofs by one channel are one factor (contract 11 §2). */
function considerChannel(app: App, user: UserRow, row: FactorRow | null, proof: First, channel: Channel): Usability {
  if (row === null || !channelsOf(row).includes(channel)) return 'not-set-up'
  if (row.suspendedAt !== null) return 'suspended'
  if (!sendsBy(app, channel)) return 'cannot-be-sent'
  if (recipientOf(user, channel) === null) return 'no-recipient'
  return proof?.amr.includes(channel) ? 'first-factor-channel' : 'usable'
}

/** The channels by which a code can be sent to a user now. */
export const usableChannels = (app: App, user: UserRow, row: FactorRow | null, proof: First): Channel[] =>
  channels.filter((channel) => considerChannel(app, user, row, proof, channel) === 'usable')

function considerTOTP({ twoFactor }: Config, row: FactorRow | null): Usability {
  if (twoFactor.totpOptions.disable) return 'off'
  if (row?.secret == null) return row?.suspendedAt ? 'suspended' : 'not-set-up'
  return row.verified ? 'usable' : 'not-confirmed'
}

export const hasTOTP = (config: Config, row: FactorRow | null): row is FactorRow & { readonly secret: string } =>
  considerTOTP(config, row) === 'usable'

/** A second factor with the decision about it. */
export interface ConsideredMethod {
  readonly method: Method
  readonly usability: Usability
}

async function considerOwn(app: App, user: UserRow, proof: First): Promise<ConsideredMethod[]> {
  const found: ConsideredMethod[] = []
  for (const { secondFactor } of app.features)
    if (secondFactor)
      found.push({ method: { type: secondFactor.type }, usability: await secondFactor.usability(app, user, proof) })
  return found
}

/** What a feature can prove of a user in addition to codes, now. */
export const ownFactors = async (app: App, user: UserRow, proof: First): Promise<Method[]> =>
  (await considerOwn(app, user, proof)).flatMap(({ method, usability }) => (usability === 'usable' ? method : []))

/** Each second factor that exists, the strongest first: usable by this user now, or why not. */
export async function considerMethods(app: App, user: UserRow, proof: First): Promise<ConsideredMethod[]> {
  const row = await findFactors(app, user.id)
  const sent = channels.map((channel): ConsideredMethod => {
    const recipient = recipientOf(user, channel)
    const to = recipient === null ? {} : { to: shortened(recipient) }
    return { method: { type: 'otp', channel, ...to }, usability: considerChannel(app, user, row, proof, channel) }
  })
  const left = await countBackupCodes(app, user.id)
  return [
    ...(await considerOwn(app, user, proof)),
    { method: { type: 'totp' }, usability: considerTOTP(app.config, row) },
    ...sent,
    { method: { type: 'backup-code', left }, usability: left > 0 ? 'usable' : 'not-set-up' },
  ]
}

/**
 * The ways to prove a second factor, the strongest first.
 * @param proof of the first factor; null: every way that the user has
 * @param last the one that this browser has used last, which comes first
 */
export async function methodsOf(
  app: App,
  user: UserRow,
  { proof = null, last }: { readonly proof?: Pick<Proof, 'amr'> | null; readonly last?: string | null } = {},
): Promise<Method[]> {
  const usable = (await considerMethods(app, user, proof)).filter(({ usability }) => usability === 'usable')
  // Backup codes come last: they are for the day on which the others are lost.
  const isLast = (method: Method) => Number(method.type === last && method.type !== 'backup-code')
  return usable.map(({ method }) => method).toSorted((one, other) => isLast(other) - isLast(one))
}

export interface DescribedMethod extends Method {
  readonly createdAt: Date | null
  readonly addedWith: string | null
  readonly lastUsedAt: Date | null
  /** How the clock of an app seems to be wrong. */
  readonly clock?: 'slow' | 'fast'
}

/** A second factor of another feature, such as `passkey`. */
export const otherFactor = ({ features }: App, type: string): SecondFactor | undefined =>
  features.find(({ secondFactor }) => secondFactor?.type === type)?.secondFactor

const unknownTimes = { createdAt: null, addedWith: null, lastUsedAt: null }

async function timesOf(app: App, userId: string, row: FactorRow | null, { type, channel }: Method) {
  const other = otherFactor(app, type)
  if (other) return other.times(app, userId)
  if (row === null) return unknownTimes
  if (type === 'totp') {
    const clock = clockOf(row)
    return { createdAt: row.addedAt, addedWith: row.addedWith, lastUsedAt: row.totpUsedAt, ...(clock && { clock }) }
  }
  const lastUsedAt = channel === 'sms' ? row.smsUsedAt : row.emailUsedAt
  return { createdAt: row.otpAddedAt, addedWith: row.otpAddedWith, lastUsedAt }
}

/** The methods of a user without backup codes, with what is known of the use of each. */
export const describeMethods = (app: App, userId: string, row: FactorRow | null, methods: readonly Method[]) =>
  Promise.all(
    methods
      .filter(({ type }) => type !== 'backup-code')
      .map(async (method): Promise<DescribedMethod> => ({ ...method, ...(await timesOf(app, userId, row, method)) })),
  )

/** As the reference names them, each once: without backup codes. */
export const methodNames = (methods: readonly Method[]): string[] => [
  ...new Set(methods.flatMap(({ type }) => (type === 'backup-code' ? [] : type))),
]

const lastMethodCookie = ({ config }: Pick<App, 'config'>) => cookieDefinition(config, 'two_factor_method')
const yearSeconds = 31_536_000

/** The second factor that this browser has used last. It only orders what is offered. */
export const lastMethodOf = (ctx: CallContext): string | null => ctx.request.cookie(lastMethodCookie(ctx).name) ?? null
export const rememberMethod = (ctx: CallContext, type: Method['type']): void =>
  lastMethodCookie(ctx).set(ctx.cookies, type, yearSeconds)
