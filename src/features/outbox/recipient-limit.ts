/**
 * Limits the emails of one kind to one recipient, and those that one user sends to others. Rate limits count by network, and so do not stop many networks that together
 * flood one mailbox. Counted in the database, so that the limit holds for all daemons together.
 */
import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import { type App, requestIdOf } from '../../core/app.ts'
import { group } from '../../core/config.ts'
import { tooManyRequests } from '../../core/errors.ts'
import type { Job } from '../../core/feature.ts'
import type { MailKind } from '../../core/message.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { id, integer, string, timestamp, unique } from '../../core/table.ts'
import { afterCommit } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { networkOf, siteOf } from '../../lib/ip.ts'
import type { Database } from '../index.ts'

const windowLength = z.int().min(60).max(86_400).default(3600).describe('Length of the window in seconds, from its first email')

export const config = {
  mailLimit: group('Limit of emails of one kind to one recipient, in addition to rate limits', {
    enabled: z.boolean().optional().describe('Default: true in production, otherwise false'),
    max: z
      .int()
      .min(1)
      .max(1000)
      .default(5)
      .describe(
        'Emails of each kind that a recipient gets in the window; further ones are not sent, and the response is the same',
      ),
    window: windowLength,
    perNetwork: group(
      'Limit of emails that one client network has sent to addresses of its choice; twice as many for all networks of an IPv6 site (/48)',
      {
        max: z.int().min(1).max(1_000_000).default(200).describe('Emails in the window, such as verification and reset links'),
        window: windowLength,
      },
    ),
    total: group('Limit of such emails of all networks, which bounds what an attack from many networks sends', {
      max: z.int().min(1).max(100_000_000).default(50_000).describe('Emails in the window'),
      window: windowLength,
    }),
  }),
}

/** `key` is a keyed hash of cause, kind and recipient or sender, so that no email address is stored here. */
export const tables = {
  mailCount: {
    id: id(),
    key: unique(string({ length: 64 })),
    count: integer(),
    expiresAt: timestamp(),
  },
}

/** Deletes counts of windows that are over. */
export const sweepMailCounts: Job['run'] = (app, signal) =>
  sweepEnded(app, signal, { table: 'mailCount', column: 'expiresAt', before: ({ now }) => now() })

const causes = ['request', 'decoy', 'sign-in'] as const

/**
 * Why an email is written; each cause has its own count. `request`: a call asks for it. `decoy`: it is not sent, so that a person
 * who later creates an account still gets theirs. `sign-in`: the right password was sent, so that anonymous requests cannot
 * prevent it.
 */
export type MailCause = (typeof causes)[number]

/**
 * Whether an email may go to a person who does not know the application: of a kind for any address, or a notice to a user who has not
 * verified theirs, and may have signed up with that of another person.
 */
const goesToStranger = ({ toStrangers }: MailKind, data: object): boolean =>
  toStrangers ?? Reflect.get(Object(Reflect.get(data, 'user')), 'emailVerified') === false

/**
 * Counts an email, part of the transaction if there is one. One conditional update decides, so that concurrent calls cannot exceed
 * the limit. It takes the same statements whatever the count is: otherwise the response time would reveal whether the emails before
 * were decoys (ASVS 6.3.8).
 * @param recipient email address in any case; it need not belong to a user
 * @param data of the email
 * @returns false when the recipient gets no more emails of this kind and cause in this window, or the network sends no more
 */
export async function countMail(app: App, mail: MailKind, recipient: string, cause: MailCause, data: object): Promise<boolean> {
  if (!isLimited(app)) return true
  const { kind } = mail
  const isCounted = mail.hasOwnLimit || (await count(app, keysOf(app, kind, recipient, cause), app.config.mailLimit))
  // A mail of a signed-in user to others counts before it, with an error.
  let isRoom = true
  if (goesToStranger(mail, data))
    for (const [keys, bound] of sharedLimits(app)) isRoom = (await count(app, keys, bound)) && isRoom
  if (isCounted && isRoom) return true
  await afterCommit(app, async () =>
    app.log.warn(
      { kind, requestId: requestIdOf(app) },
      isCounted
        ? 'An email was not sent: the limit of its network, or of all emails, is reached'
        : 'An email was not sent: its recipient has reached the limit',
    ),
  )
  return false
}

export const isLimited = ({ config }: App): boolean => config.mailLimit.enabled ?? config.environment === 'production'

/** An IPv6 customer may have a /48, which is 65,536 networks: together they send what a few of them do. */
const networksPerSite = 2

/** The counts of the network of a client, by name. @param address IP address; empty: of no known client */
export function networkCounts(address: string, bound: Bound): [name: string, bound: Bound][] {
  if (address === '') return []
  const site = siteOf(address)
  const ofSite: [string, Bound][] = site === null ? [] : [[`site:${site}`, { ...bound, max: bound.max * networksPerSite }]]
  return [[`network:${networkOf(address)}`, bound], ...ofSite]
}

/** Of the network of the call, and of all. The last one comes last, because all concurrent emails wait for its row. */
function sharedLimits(app: App): [keys: readonly string[], bound: Bound][] {
  const { actor } = app
  if (actor.kind !== 'user' && actor.kind !== 'anonymous') return []
  const { perNetwork, total } = app.config.mailLimit
  const counts = [...networkCounts(actor.networkAddress ?? actor.ipAddress, perNetwork), ['total', total] as const]
  return counts.map(([name, bound]) => [app.keyring.hashes('mail limit', name), bound])
}

/**
 * Counts an email that a user sends to others for their network, and for all.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER with the rest of the window
 */
export async function countForNetwork(app: App): Promise<void> {
  if (isLimited(app)) for (const [keys, bound] of sharedLimits(app)) await countOrReject(app, keys, bound)
}

/**
 * Counts an email of a user, for kinds that one user sends to others. It is not counted when the transaction is rolled back.
 * @param bound emails of this kind in a window, in seconds from its first email
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER with the rest of the window
 */
export const countSentMail = (app: App, kind: string, userId: string, bound: Bound): Promise<void> =>
  countOrReject(app, app.keyring.hashes('mail limit', `sender:${kind}:${userId}`), bound)

/**
 * Counts a test email to the user who asks for it; those of each kind are counted apart from what the kind is sent for.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER with the rest of the window
 */
export async function countTestMail(app: App, kind: string, user: { readonly email: string; readonly emailVerified: boolean }) {
  if (!isLimited(app)) return
  await countOrReject(app, keysOf(app, `test:${kind}`, user.email, 'request'), app.config.mailLimit)
  // It may be the address of another person.
  if (!user.emailVerified) await countForNetwork(app)
}

/**
 * The same for any keys of one count, newest first.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER with the rest of the window
 */
export async function countOrReject(app: App, keys: readonly string[], bound: Bound): Promise<void> {
  if (await count(app, keys, bound)) return
  const rows = app.db.selectFrom('mailCount').select('expiresAt').where('key', 'in', keys)
  const { expiresAt = app.now() } = (await rows.executeTakeFirst()) ?? {}
  throw tooManyRequests(Math.max(1, Math.ceil((expiresAt.getTime() - app.now().getTime()) / 1000)))
}

export interface Bound {
  readonly max: number
  readonly window: number
}

/** @returns false when there is no room in the window */
export async function count(app: App, keys: readonly string[], bound: Bound): Promise<boolean> {
  for (;;) {
    const isIncreased = await increase(app, keys, bound)
    const found = await app.db.selectFrom('mailCount').select('id').where('key', 'in', keys).executeTakeFirst()
    const isFirst = !isIncreased && !found
    if (await insert(app, isFirst ? keys[0] : null, bound)) return isIncreased || isFirst
  }
}

const keysOf = (app: App, kind: string, recipient: string, cause: MailCause): string[] =>
  app.keyring.hashes('mail limit', `${cause === 'request' ? '' : `${cause}:`}${kind}:${recipient.toLowerCase()}`)

/** Resets the counts of a recipient, of every kind and cause. @returns how many there were */
export async function clearMailCounts(app: App, recipient: string): Promise<number> {
  const kinds = app.features.flatMap(({ mails = {} }) => Object.keys(mails))
  const keys = kinds.flatMap((kind) => causes.flatMap((cause) => keysOf(app, kind, recipient, cause)))
  const deleted = await app.db.deleteFrom('mailCount').where('key', 'in', keys).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

async function increase(app: App, keys: readonly string[], { max, window }: Bound): Promise<boolean> {
  const now = app.now()
  const end = new Date(now.getTime() + window * 1000)
  // A window that ends later than a new one would: a clock was set back, and the window is over.
  const isOver = (eb: ExpressionBuilder<Database, 'mailCount'>) => eb.or([eb('expiresAt', '<=', now), eb('expiresAt', '>', end)])
  const updated = await app.db
    .updateTable('mailCount')
    // MySQL sets columns one after the other, so `count` must be computed before `expiresAt` changes.
    .set((eb) => ({
      count: eb
        .case()
        .when(isOver(eb))
        .then(1)
        .else(eb('count', '+', 1))
        .end(),
    }))
    .set((eb) => ({ expiresAt: eb.case().when(isOver(eb)).then(end).else(eb.ref('expiresAt')).end() }))
    .where('key', 'in', keys)
    .where((eb) => eb.or([eb('count', '<', max), isOver(eb)]))
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** @param key null: a row that counts nothing and is swept @returns false when a concurrent call inserted the row */
function insert(app: App, key: string | null | undefined, { window }: Bound): Promise<boolean> {
  const id = app.random.id()
  const expiresAt = new Date(app.now().getTime() + (key ? window * 1000 : 0))
  const row = { id, key: key || id, count: key ? 1 : 0, expiresAt }
  return insertUnlessExists(app, app.db.insertInto('mailCount').values(row))
}
