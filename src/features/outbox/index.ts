/**
 * Outgoing emails and text messages: written in the transaction of the code that sends them, then delivered and retried after the response, by any
 * number of daemons. Features declare the kinds of email and their content.
 */
import type { Insertable } from 'kysely'
import type { App } from '../../core/app.ts'
import { event, type Listeners } from '../../core/events.ts'
import type { MailKind, TextKind } from '../../core/message.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { hidden, id, index, integer, nullable, string, text, timestamp } from '../../core/table.ts'
import { deferAfterCommit } from '../../core/transaction.ts'
import { isPlaceholderEmail } from '../../lib/placeholder-email.ts'
import type { Config, Database } from '../index.ts'
import { deliverSoon, outboxJob } from './mail-delivery.ts'
import { config as deliveryConfig, purpose } from './mail-kinds.ts'
import { linkTokenKey, lockableKey, shortenPayload } from './mail-payload.ts'
import { findReader, type Recipient } from './reader.ts'
import {
  clearMailCounts,
  countMail,
  config as limitConfig,
  tables as limitTables,
  type MailCause,
  sweepMailCounts,
} from './recipient-limit.ts'
import { createShortLink, linkColumns } from './short-link.ts'
import { countText, config as textConfig } from './text-messages.ts'

export { gauges, type OutboxState, readOutbox } from './gauges.ts'
export { lockPageURL } from './lock-page.ts'
export { describeFailure } from './mail-delivery.ts'
export { canDeliver, deliverExample, type MailExample, mailExamplesUnder } from './mail-examples.ts'
export {
  checkConfig,
  defineMails,
  mailExamples,
  mailSender,
  mailTemplates,
  renderMail,
} from './mail-kinds.ts'
export { countMails, findMails, findOldestWaiting, listMails, mailState, type OutgoingMail, retryMails } from './mail-list.ts'
export { clearOwnCounts, countForLimits, countOne, hasHappened, isFirstTime, waitForRoom } from './named-counts.ts'
export { findReader, type Recipient, withReader } from './reader.ts'
export {
  clearMailCounts,
  countForNetwork,
  countSentMail,
  countTestMail,
} from './recipient-limit.ts'
export { routes, shortURL } from './short-link.ts'
export { acceptsNumber, boundLine, canSendText, clearTextCounts, defineTexts, resendDelay } from './text-messages.ts'

export const area = 'Hosted pages'

export const config = { ...deliveryConfig, ...limitConfig, ...textConfig }

/**
 * `content` is encrypted, because emails contain links with tokens, and erased when the email is sent. `nextAttemptAt` is null for
 * emails that were sent or failed permanently.
 */
export const tables = {
  ...limitTables,
  outbox: {
    id: id(),
    kind: string({ length: 64 }),
    recipient: string({ length: 320 }),
    content: hidden(nullable(text())),
    attempts: integer({ default: 0 }),
    nextAttemptAt: nullable(timestamp()),
    claimedUntil: nullable(timestamp()),
    lastError: nullable(string()),
    createdAt: timestamp(),
    sentAt: nullable(timestamp()),
    failedAt: nullable(timestamp()),
    /** Of text messages: when their code expires; they are not sent any more then. */
    expiresAt: nullable(timestamp()),
    /** Of the reader; null for the default language, and for UTC. */
    locale: nullable(string({ length: 35 })),
    timeZone: nullable(string({ length: 64 })),
    ...linkColumns,
  },
}

export const secretUses = {
  emails: { table: 'outbox', column: 'content', noun: 'waiting message' },
  mailedLinks: { table: 'outbox', column: 'linkHash', noun: 'mailed link' },
} as const

export const indexes = {
  mailCount: [index('expiresAt')],
  outbox: [
    index('nextAttemptAt'),
    index('failedAt'),
    index('sentAt'),
    index('createdAt', 'id'),
    index('expiresAt'),
    index('recipient', 'createdAt'),
    index('kind', 'createdAt'),
  ],
}

/** Whether emails of this kind are sent: by a configured function, or by Latchkey. */
export function canSend({ config, mailer }: Pick<App, 'config' | 'mailer'>, { option }: MailKind): boolean {
  const sender = option?.(config)
  if (typeof sender === 'function') return true
  return sender !== false && (mailer !== null || config.mail.enabled)
}

/** The same under a configuration: a complete one has a transport when mail is enabled. */
export const isSent = (config: Config, mail: MailKind): boolean => canSend({ config, mailer: null }, mail)

/**
 * Writes an email in the transaction of `app`; its delivery starts after the response. Does nothing when emails of this kind cannot
 * be sent; the same work without sending when the recipient has got too many of them, or has only a placeholder for an address.
 * @param to the user, or an email address of which nothing more is known
 * @param cause see `MailCause`
 */
export async function sendMail<Data extends object>(
  app: App,
  mail: MailKind<Data>,
  to: Recipient,
  data: Data,
  cause: Exclude<MailCause, 'decoy'> = 'request',
): Promise<void> {
  if (!canSend(app, mail)) return
  const draft = draftMail(app, mail, to, data)
  if (isPlaceholderEmail(to.email) || !(await countMail(app, mail, to.email, cause, data))) return insertDecoy(app, draft)
  const id = await insertMail(app, { ...draft, recipient: to.email, nextAttemptAt: app.now() })
  await deferAfterCommit(app, (outermost) => deliverSoon(outermost, id, 'email'))
}

/**
 * Does the same work as `sendMail` without sending, so that the response time does not reveal whether there is a recipient
 * (ASVS 6.3.8). It is counted too, but uses up no email of the recipient.
 */
export async function decoyMail<Data extends object>(app: App, mail: MailKind<Data>, to: Recipient, data: Data): Promise<void> {
  if (!canSend(app, mail)) return
  await countMail(app, mail, to.email, 'decoy', data)
  await insertDecoy(app, draftMail(app, mail, to, data))
}

/** The row is never due, and is deleted after the response. */
async function insertDecoy(app: App, draft: OutboxDraft): Promise<void> {
  const id = await insertMail(app, { ...draft, recipient: '', sentAt: app.now() })
  await deferAfterCommit(app, async ({ db }) => {
    await db.deleteFrom('outbox').where('id', '=', id).execute()
  })
}

type OutboxDraft = Omit<Insertable<Database['outbox']>, 'id' | 'recipient' | 'createdAt'>

/** A function of the configuration gets the `url` of the data, which the contract fixes. */
function draftMail(app: App, { kind, hasLink, isNotice, option }: MailKind, to: Recipient, data: object): OutboxDraft {
  const url = 'url' in data && typeof data.url === 'string' ? data.url : null
  const link = hasLink && url !== null && typeof option?.(app.config) !== 'function' ? createShortLink(app, url) : null
  // An email address that is not verified may belong to another person, who must not be able to lock the account.
  const lockable = isNotice && to.emailVerified === true && to.id !== undefined ? { [lockableKey]: to.id } : null
  const payload = { ...shortenPayload(data), ...(link && { [linkTokenKey]: link.token }), ...lockable }
  return { kind, content: seal(app, payload), ...findReader(app, to), ...link?.row }
}

const seal = ({ keyring }: App, payload: object): string => keyring.encrypt(purpose, JSON.stringify(payload))

async function insertMail(app: App, draft: OutboxDraft & { readonly recipient: string }): Promise<string> {
  const id = app.random.id()
  await app.db
    .insertInto('outbox')
    .values({ id, createdAt: app.now(), ...draft })
    .execute()
  return id
}

interface TextAddress {
  /** The phone number. */
  readonly to: string
  /** Whom it belongs to; null: no user yet. */
  readonly user: Omit<Recipient, 'email'> | null
  /** IP address of the client whose call sends it, for the limits. */
  readonly networkAddress: string
  /** After this time the text message is of no use, and is not sent. */
  readonly expiresAt: Date
  /** Does the same work without sending, so that the response time does not reveal whether there is a recipient (ASVS 6.3.8). */
  readonly isDecoy?: boolean
}

/**
 * Writes a text message in the transaction of `app`, in which it is counted too; its delivery starts after the response.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER when one of `smsLimit` is reached; then nothing is counted
 */
export async function sendText<Data extends object>(
  app: App,
  kind: TextKind<Data>,
  { to, user, networkAddress, expiresAt, isDecoy = false }: TextAddress,
  data: Data,
): Promise<void> {
  // It is counted apart from codes for the same number, so that no requests for codes stop it.
  const isNotice = kind.code(data) === ''
  await countText(app, to, networkAddress, isNotice)
  const lockable = isNotice && user?.id !== undefined ? { [lockableKey]: user.id } : null
  const draft = { kind: kind.kind, content: seal(app, { ...shortenPayload(data), ...lockable }), ...findReader(app, user ?? {}) }
  if (isDecoy) return insertDecoy(app, draft)
  const id = await insertMail(app, { ...draft, recipient: to, nextAttemptAt: app.now(), expiresAt })
  await deferAfterCommit(app, (outermost) => deliverSoon(outermost, id, 'text'))
}

/** Sent emails are kept this long. Permanently failed emails stay until an operator retries them. */
const sentRetentionMs = 7 * 86_400_000

/** Deletes what was sent before the retention time. */
export async function sweepOutbox(app: App, signal: AbortSignal): Promise<void> {
  const before = ({ now }: App) => new Date(now().getTime() - sentRetentionMs)
  await sweepEnded(app, signal, { table: 'outbox', column: 'sentAt', before })
  // Text messages that failed: nothing is left of them that could be retried.
  await sweepEnded(app, signal, { table: 'outbox', column: 'expiresAt', before })
}

export const events = {
  /** After the update: an email was handed over to the mail server, or to a function of the configuration. */
  'mail.sent': event<{ readonly kind: string }>(),
  /** Before a notice is sent to a verified email address (null: by text message); returns the page with which its reader locks the account. */
  'notice.delivering': event<{ readonly userId: string; readonly email: string | null }, { readonly lockURL: string | null }>(),
  /**
   * Before an email is sent whose payload contains a shortened row: the feature that owns the table returns the members that the row
   * has now. `kind`: the name of the row in the payload, such as `user`.
   */
  'mail.row-shortened': event<
    { readonly kind: string; readonly id: string },
    { readonly members: Readonly<Record<string, unknown>> }
  >(),
}

export const auditActions = {
  'mail.failed': 'An email or text message failed permanently: it was rejected, it expired, or all attempts failed',
  'mail.retried': 'Failed emails were put into the outbox again',
}

export const on: Listeners = {
  'user.erasing': async (app, { user }) => {
    await app.db.deleteFrom('outbox').where('recipient', '=', user.email).execute()
    await clearMailCounts(app, user.email)
  },
}

export const jobs = {
  outbox: outboxJob,
  sentMails: { every: 3600, run: sweepOutbox },
  mailCounts: { every: 3600, run: sweepMailCounts },
}
