/** The second factors with which a user can answer a challenge, and the one place that decides which are offered. */
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import type { Config } from '../index.ts'
import { canSend, canSendText } from '../outbox/index.ts'
import { countBackupCodes } from './backup-codes.ts'
import { texts } from './code-messages.ts'
import { type Channel, channels } from './config.ts'
import { mails } from './mails.ts'
import { type FactorRow, findFactors, type Method } from './model.ts'

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

/** Such as `•••• 67`, or `a…@example.com`. */
export function shortened(recipient: string): string {
  const [name = '', domain] = recipient.split('@')
  return domain === undefined ? `•••• ${recipient.slice(-2)}` : `${name.slice(0, 1)}…@${domain}`
}

/** Two proofs by one channel are one factor: a code is not sent to where the first one came from (contract 11 §2). */
function isSameChannel(proof: Pick<Proof, 'amr'> | null, channel: Channel): boolean {
  return proof?.amr.includes(channel) ?? false
}

export const channelsOf = ({ otpChannels }: Pick<FactorRow, 'otpChannels'>): readonly Channel[] =>
  channels.filter((channel) => otpChannels?.split(',').includes(channel))

/** The channels by which a code can be sent to a user now. @param proof of the first factor; null: of a session */
export function usableChannels(app: App, user: UserRow, row: FactorRow | null, proof: Pick<Proof, 'amr'> | null): Channel[] {
  if (row === null || row.suspendedAt !== null) return []
  return reachableChannels(app, user).filter((channel) => channelsOf(row).includes(channel) && !isSameChannel(proof, channel))
}

export const hasTOTP = ({ twoFactor }: Config, row: FactorRow | null): row is FactorRow & { readonly secret: string } =>
  !twoFactor.totpOptions.disable && row?.secret != null && row.verified

/** What a feature can prove of a user in addition to codes. */
export async function ownFactors(app: App, user: UserRow, proof: Pick<Proof, 'amr'> | null): Promise<Method[]> {
  const found: Method[] = []
  for (const { secondFactor } of app.features)
    if (secondFactor && (await secondFactor.isAvailable(app, user, proof))) found.push({ type: secondFactor.type })
  return found
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
  const row = await findFactors(app, user.id)
  const sent = usableChannels(app, user, row, proof).map((channel): Method => {
    return { type: 'otp', channel, to: shortened(recipientOf(user, channel) ?? '') }
  })
  const methods = [...(await ownFactors(app, user, proof)), ...(hasTOTP(app.config, row) ? [{ type: 'totp' }] : []), ...sent]
  const left = await countBackupCodes(app, user.id)
  const ordered = methods.toSorted((one, other) => Number(other.type === last) - Number(one.type === last))
  return left > 0 ? [...ordered, { type: 'backup-code', left }] : ordered
}

export interface DescribedMethod extends Method {
  readonly createdAt: Date | null
  readonly lastUsedAt: Date | null
}

/** The methods without backup codes, with their times. */
export const describeMethods = (row: FactorRow | null, methods: readonly Method[]): DescribedMethod[] =>
  methods
    .filter(({ type }) => type !== 'backup-code')
    .map((method) => {
      const addedAt = method.type === 'totp' ? row?.addedAt : method.type === 'otp' ? row?.otpAddedAt : null
      return { ...method, createdAt: addedAt ?? null, lastUsedAt: row?.lastUsedAt ?? null }
    })

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
