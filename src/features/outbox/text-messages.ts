/** Text messages (SMS): their options, their delivery, and limits, because they cost money and attackers request them for profit. */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { callback, group } from '../../core/config.ts'
import type { Reader, TextKind } from '../../core/message.ts'
import type { MessageFiles } from '../../core/text-files.ts'
import type { Config, Database } from '../index.ts'
import { catchText } from '../mailbox/index.ts'
import { colonOf, layoutTexts } from './layout-texts.ts'
import { writeText } from './own-messages.ts'
import { readerOf } from './reader.ts'
import { type Bound, countOrReject, networkCounts } from './recipient-limit.ts'

/** A text message as `sms.send` gets it. */
export interface TextMessage {
  /** Unique per message and the same at each attempt, so that a provider can ignore a repeated one. */
  readonly id: string
  /** The phone number, such as +491701234567. */
  readonly to: string
  /** Such as `phone-verification` or `two-factor-code`. */
  readonly kind: string
  readonly text: string
  /** The code in the text, for providers with templates of their own; empty in a notice. */
  readonly code: string
}

const bound = (description: string, max: number) =>
  group(description, {
    max: z.int().min(1).max(1_000_000).default(max).describe('Text messages in the window'),
    window: z.int().min(60).max(86_400).default(3600).describe('Length of the window in seconds, from its first text message'),
  })

export const config = {
  sms: group('Text messages (SMS)', {
    send: callback<(message: TextMessage) => unknown>()
      .optional()
      .describe('Function that sends a text message `{ id, to, kind, text, code }`, by the API of your provider'),
    allowedPrefixes: z
      .array(z.string().regex(/^\+[1-9]\d{0,6}$/, 'Expected the start of a phone number, such as +49'))
      .min(1)
      .optional()
      .describe('Starts of the phone numbers that are accepted, such as +49 and +43; default: all'),
    catch: z
      .boolean()
      .default(false)
      .describe('Store text messages and show them on the hosted page /mailbox instead of sending them; for development'),
  }),
  smsLimit: group('Limits of text messages, in addition to rate limits', {
    enabled: z.boolean().optional().describe('Default: true in production, otherwise false'),
    interval: z.int().min(1).max(3600).default(60).describe('Seconds between two text messages to one number'),
    perNumber: bound('Limit for one phone number', 5),
    perNetwork: bound('Limit for one client network; twice as many for all networks of an IPv6 site (/48)', 20),
    perCountry: bound('Limit for all phone numbers of one country code', 1000),
    total: bound('Limit for all text messages, which bounds what an attack on many countries costs', 5000),
  }),
}

type Declared<Data> = Omit<TextKind<Data>, 'kind' | 'content' | 'load'>

/** The end of a text message with a code: browsers fill it in on the pages of this host only (origin-bound one-time codes). */
export const boundLine = (host: string, code: string): string => `\n\n@${host} #${code}`

/** Declares `texts` of a feature by kind. @param files with each of them in every language */
export const defineTexts = <Texts, K extends keyof Texts & string>(
  files: MessageFiles<Texts>,
  declared: { readonly [Kind in K]: NoInfer<Declared<Texts[Kind]>> },
): { readonly [Kind in K]: TextKind<Texts[Kind]> } =>
  Object.fromEntries(
    Object.entries(declared as Readonly<Record<string, object>>).map(([kind, text]) => [
      kind,
      { ...text, kind, content: (locale: string) => files.text(kind as K, locale), load: files.load },
    ]),
  ) as never

/** Whether text messages of this kind are sent. */
export const canSendText = (config: Config, { option }: TextKind): boolean =>
  option?.(config) !== undefined || config.sms.send !== undefined || config.sms.catch

/** Whether text messages are sent to numbers of this country. @param number such as +491701234567 */
export const acceptsNumber = ({ sms }: Config, number: string): boolean =>
  sms.allowedPrefixes?.some((prefix) => number.startsWith(prefix)) ?? true

const isLimited = ({ smsLimit, environment }: Config): boolean => smsLimit.enabled ?? environment === 'production'

/** Seconds after which a number may get another text message. */
export const resendDelay = (config: Config): number => (isLimited(config) ? config.smsLimit.interval : 0)

const keysOf = (app: App, name: string): string[] => app.keyring.hashes('sms limit', name)

/** Country codes of two digits (ITU-T E.164, list of 2016); +1 and +7 have one, all others three. */
const twoDigits = /^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

const countryOf = (number: string): string => number.slice(0, /^\+[17]/.test(number) ? 2 : twoDigits.test(number) ? 3 : 4)

/** A notice often follows a code within the minute, and strangers can request codes for a number: neither stops the other. */
const ownLimits = ({ interval, perNumber }: Config['smsLimit'], to: string, isNotice: boolean): [string, Bound][] =>
  isNotice
    ? [[`notices:${to}`, perNumber]]
    : [
        [`interval:${to}`, { max: 1, window: interval }],
        [`number:${to}`, perNumber],
      ]

/**
 * Counts a text message in the transaction that writes it, so that a rejected one counts for none of the limits.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function countText(app: App, to: string, networkAddress: string, isNotice = false): Promise<void> {
  if (!isLimited(app.config)) return
  const { perNetwork, perCountry, total } = app.config.smsLimit
  const limits: [string, Bound][] = [
    ...networkCounts(networkAddress, perNetwork),
    ...ownLimits(app.config.smsLimit, to, isNotice),
    // Last, because all concurrent text messages of a country wait for its row, and all of them for the last one.
    [`country:${countryOf(to)}`, perCountry],
    ['total', total],
  ]
  for (const [name, limit] of limits) await countOrReject(app, keysOf(app, name), limit)
}

/** Resets the limits of a phone number. @returns how many there were */
export async function clearTextCounts(app: App, number: string): Promise<number> {
  const keys = [`interval:${number}`, `number:${number}`, `notices:${number}`].flatMap((name) => keysOf(app, name))
  return Number((await app.db.deleteFrom('mailCount').where('key', 'in', keys).executeTakeFirst()).numDeletedRows)
}

/** @returns null for a kind of email */
export function findTextKind(app: App, kind: string): TextKind | null {
  for (const { texts } of app.features) {
    const found = texts && Object.hasOwn(texts, kind) ? texts[kind] : undefined
    if (found) return found
  }
  return null
}

type Row = Pick<Selectable<Database['outbox']>, 'id' | 'recipient' | 'locale' | 'timeZone'>

/** The end of a notice: as in an email, without what needs much room. */
const lockLine = (config: Config, { locale }: Pick<Reader, 'locale'>, url: string): string =>
  `${layoutTexts(config, locale).lockAccount}${colonOf(locale)}\n${url}`

/** @throws Error when no provider is configured any more; whatever the function of the configuration throws */
export async function deliverText(
  app: App,
  kind: TextKind,
  { id, recipient: to, ...stored }: Row,
  data: { readonly lockURL?: string },
): Promise<void> {
  const own = kind.option?.(app.config)
  if (own) {
    await own(data as never)
    return
  }
  const reader = readerOf(app, stored)
  const written = writeText(app, kind.kind, data, reader, (context) => kind.content(reader.locale)(data as never, context))
  const text = written + (data.lockURL === undefined ? '' : `\n\n${lockLine(app.config, reader, data.lockURL)}`)
  const message = { to, text, code: kind.code(data as never) }
  if (app.config.sms.catch) return catchText(app, kind.kind, message)
  if (!app.config.sms.send) throw new Error('No function for text messages is configured')
  await app.config.sms.send({ id, kind: kind.kind, ...message })
}
