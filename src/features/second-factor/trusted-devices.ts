/** Browsers that a user trusts: their sign-ins there need no second factor for a time (contract 11 §7). */
import type { Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { signCookie } from '../../lib/cookie.ts'
import { deviceName, userAgentOf } from '../../lib/device.ts'
import { recordEvent } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { notify, originOf } from './notices.ts'
import { forbidsTrust, rulesFor } from './rules.ts'

type TrustedRow = Selectable<Database['trustedDevice']>

const purpose = 'trusted browser'
const definition = ({ config }: App) => cookieDefinition(config, 'trust_device')
/** A value that was just replaced is accepted for this time, because a browser sends several requests in parallel. */
const replacedForMs = 60_000

const isEnabled = ({ config }: Pick<App, 'config'>): boolean => config.twoFactor.trustDeviceMaxAge > 0

/** Whether a user may trust browsers: a rule may forbid it. */
export const mayTrust = (app: Pick<App, 'config'>, user: UserRow): boolean =>
  isEnabled(app) && !rulesFor(app.config, user).some(forbidsTrust)

/** Characters of a value that stay when the rest is replaced, so that any former value is recognized as one. */
const browserLength = 12
const prefix = 'trust-device-'

/** The part of a value that names the browser. */
const browserOf = (value: string): string => value.slice(0, prefix.length + browserLength)

/** @param browser absent: of a browser that has none */
const newValue = ({ random }: App, browser = `${prefix}${random.token(browserLength)}`): string =>
  `${browser}${random.token(32 - browserLength)}`

/** A row that the cookie of this browser names, and how: by the current value, the one before, or an older one. */
interface FoundRow extends TrustedRow {
  readonly value: string
  readonly age: 'current' | 'former' | 'older'
}

const ages = ['current', 'former', 'older'] as const

/** All rows of this browser, of any user, those with its current value first. @param db that of the transaction, if there is one */
async function findRows(ctx: CallContext, { db }: Pick<App, 'db'> = ctx): Promise<FoundRow[]> {
  const values = ctx.request.signedCookies(definition(ctx).name)
  const hashes = (texts: readonly string[]) => texts.flatMap((text) => ctx.keyring.hashes(purpose, text))
  if (values.length === 0) return []
  const [keys, browserKeys] = [hashes(values), hashes(values.map(browserOf))]
  const all = db.selectFrom('trustedDevice').selectAll().where('expiresAt', '>', ctx.now())
  const rows = await all
    .where((eb) => eb.or([eb('key', 'in', keys), eb('formerKey', 'in', keys), eb('browserKey', 'in', browserKeys)]))
    .execute()
  const found = rows.map((row): FoundRow => {
    const valueFor = (key: string | null) => values.find((value) => key !== null && hashes([value]).includes(key))
    const [current, former] = [valueFor(row.key), valueFor(row.formerKey)]
    const older = values.find((value) => row.browserKey !== null && hashes([browserOf(value)]).includes(row.browserKey))
    const age = current ? 'current' : former ? 'former' : 'older'
    return { ...row, age, value: current ?? former ?? older ?? '' }
  })
  return found.toSorted((one, other) => ages.indexOf(one.age) - ages.indexOf(other.age))
}

const isLate = ({ now }: App, { rotatedAt }: TrustedRow): boolean =>
  rotatedAt === null || now().getTime() - rotatedAt.getTime() > replacedForMs

/**
 * Whether a trusted browser can take the place of a second factor. Only after what a stranger with the password could do too: a link or a
 * code proves the mailbox or the phone of the owner.
 */
export function considerTrust(app: App, user: UserRow, { method }: Proof): 'possible' | 'off' | 'rule' | 'other-method' {
  if (!isEnabled(app)) return 'off'
  if (!mayTrust(app, user)) return 'rule'
  return method === 'password' || method.startsWith('social:') ? 'possible' : 'other-method'
}

/**
 * Whether the user trusts the browser of this call. An id that was replaced a while ago has been copied: its browser is not trusted any
 * more.
 */
export async function isTrustedBrowser(ctx: CallContext, user: UserRow, proof: Proof): Promise<boolean> {
  if (considerTrust(ctx, user, proof) !== 'possible') return false
  const sent = ctx.request.cookie(definition(ctx).name) !== undefined
  const rows = sent ? await findRows(ctx) : []
  if (sent && rows.length === 0) await afterCommit(ctx, async () => definition(ctx).clear(ctx.cookies))
  const own = rows.find(({ userId }) => userId === user.id)
  if (!own) return false
  if (own.age === 'current') return true
  // Which value of several was replaced when is not known, so an older one does not count as a copy yet.
  if (!isLate(ctx, own)) return own.age === 'former'
  await transaction(ctx, async (tx) => {
    const deleted = await tx.db.deleteFrom('trustedDevice').where('id', '=', own.id).executeTakeFirst()
    if (deleted.numDeletedRows === 0n) return
    await recordEvent(tx, { action: 'trusted-device.removed', target: targetOf(user.id), details: { reason: 'copied' } })
    await notify(tx, 'trusted-browser-copied', user, originOf(ctx))
  })
  return false
}

/** Browsers that a user trusts now. */
export async function countTrusted(tx: App, userId: string): Promise<number> {
  const rows = tx.db.selectFrom('trustedDevice').select((eb) => eb.fn.countAll<number>().as('count'))
  const found = await rows.where('userId', '=', userId).where('expiresAt', '>', tx.now()).executeTakeFirstOrThrow()
  return Number(found.count)
}

const targetOf = (id: string) => ({ type: 'user', id })

/**
 * Gives the browser a new id after a sign-in that it was trusted for, so that a copy of the former one is noticed. It expires as
 * before: 30 days from the proof, and not from the last use.
 */
export async function rotateBrowser(ctx: CallContext, userId: string): Promise<void> {
  if (!isEnabled(ctx)) return
  const rows = await findRows(ctx)
  const own = rows.find((row) => row.userId === userId)
  if (own?.age !== 'current') return
  const value = await replaceValue(ctx, ctx, own)
  // A concurrent request was faster: its response has the new id.
  if (value === null) return
  await ctx.db.updateTable('trustedDevice').set({ lastUsedAt: ctx.now() }).where('id', '=', own.id).execute()
  writeCookie(ctx, value, Math.max(...rows.map(({ expiresAt }) => expiresAt.getTime())))
}

/** Replaces the value of a browser in the rows of all its users. @returns null when another request has replaced it */
async function replaceValue(ctx: CallContext, { db }: Pick<App, 'db'>, { key, value: former }: FoundRow): Promise<string | null> {
  const value = newValue(ctx, browserOf(former))
  const replaced = await db
    .updateTable('trustedDevice')
    .set({ ...keysOf(ctx, value), formerKey: key, rotatedAt: ctx.now() })
    .where('key', '=', key)
    .executeTakeFirst()
  return replaced.numUpdatedRows === 0n ? null : value
}

const keysOf = ({ keyring }: Pick<App, 'keyring'>, value: string) => ({
  key: keyring.hash(purpose, value),
  browserKey: keyring.hash(purpose, browserOf(value)),
})

function writeCookie(ctx: CallContext, value: string, expiresAt: number): void {
  const seconds = Math.ceil((expiresAt - ctx.now().getTime()) / 1000)
  definition(ctx).set(ctx.cookies, signCookie(value, ctx.keyring), seconds)
}

/**
 * Trusts the browser of a call for its user, in the transaction of the proof.
 * @returns what writes the cookie, after the commit
 */
export async function trustBrowser(ctx: CallContext, tx: App, user: UserRow): Promise<() => void> {
  if (!mayTrust(ctx, user)) return () => {}
  const userId = user.id
  const [first] = await findRows(ctx, tx)
  const current = first?.age === 'current' ? first : null
  // Replaced as after any sign-in, so that what follows this one does not replace it once more.
  const replaced = current && (await replaceValue(ctx, tx, current))
  const value = replaced ?? newValue(ctx)
  const now = tx.now()
  const expiresAt = new Date(now.getTime() + tx.config.twoFactor.trustDeviceMaxAge * 1000)
  const name = deviceName(userAgentOf(ctx.request))?.slice(0, 255) ?? null
  const keys = keysOf(ctx, value)
  await tx.db.deleteFrom('trustedDevice').where('key', '=', keys.key).where('userId', '=', userId).execute()
  const former = replaced && { formerKey: current.key, rotatedAt: now }
  const row = { id: tx.random.id(), userId, ...keys, ...former, name, createdAt: now, lastUsedAt: now, expiresAt }
  if (await insertUnlessExists(tx, tx.db.insertInto('trustedDevice').values(row)))
    await recordEvent(tx, { action: 'trusted-device.added', target: targetOf(userId) })
  return () => writeCookie(ctx, value, expiresAt.getTime())
}

export type TrustedDevice = Pick<TrustedRow, 'id' | 'name' | 'createdAt' | 'lastUsedAt' | 'expiresAt'>
export interface ShownDevice extends TrustedDevice {
  /** Whether it is the browser of this call. */
  readonly isCurrent: boolean
}

/** The browsers that a user trusts, the last one first. */
export function findTrustedDevices(app: App, userId: string): Promise<TrustedDevice[]> {
  const columns = ['id', 'name', 'createdAt', 'lastUsedAt', 'expiresAt'] as const
  const rows = app.db.selectFrom('trustedDevice').select(columns).where('userId', '=', userId).where('expiresAt', '>', app.now())
  return rows.orderBy('createdAt', 'desc').orderBy('id').execute()
}

/** The same, for the user themselves. */
export async function listTrustedDevices(ctx: CallContext, userId: string): Promise<ShownDevice[]> {
  const own = (await findRows(ctx)).flatMap(({ id, age }) => (age === 'older' ? [] : id))
  return (await findTrustedDevices(ctx, userId)).map((row) => ({ ...row, isCurrent: own.includes(row.id) }))
}

/** Ends the trust of a user in the browser of this call, so that the next sign-in demands the second factor. */
export async function endTrustHere(ctx: CallContext, userId: string, reason: string): Promise<void> {
  const own = (await findRows(ctx)).find((row) => row.userId === userId)
  if (own) await transaction(ctx, (tx) => endTrust(tx, userId, { id: own.id, reason }))
}

interface EndedTrust {
  readonly id?: string
  /** Only what was given before; absent: all. */
  readonly before?: Date | undefined
  /** For the audit log; absent: someone asked for it. */
  readonly reason?: string
}

/** Ends trust in one browser of a user, or in all. */
export async function endTrust(tx: App, userId: string, { id, before, reason }: EndedTrust = {}): Promise<void> {
  let rows = tx.db.deleteFrom('trustedDevice').where('userId', '=', userId)
  if (id !== undefined) rows = rows.where('id', '=', id)
  if (before) rows = rows.where('createdAt', '<', before)
  const deleted = await rows.executeTakeFirst()
  const count = Number(deleted.numDeletedRows)
  if (count > 0) await recordEvent(tx, { action: 'trusted-device.removed', target: targetOf(userId), details: { count, reason } })
}
