/** What bounds the codes and links that an address gets by email, and the guesses of its codes, over all kinds (contract 13 §4). */
import type { App } from '../../core/app.ts'
import type { CallContext } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { networkOf } from '../../lib/ip.ts'
import { type AttemptState, clearAttempts, explainAttempts } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { clearOwnCounts, countForLimits, countOne, hasHappened, isFirstTime, waitForRoom } from '../outbox/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { randomCode } from '../verifications/index.ts'

const daySeconds = 86_400
/** Seconds between two emails of one kind to one address. */
const pause = 30
/** Wrong guesses in a day after which an address gets longer codes. */
const suspiciousGuesses = 20
const longerCode = 8

/** Seconds after which an address gets another code or link. */
export const mailPause = (): number => pause

/** For counting failed guesses: no email address has a space. */
export const codeAccount = (email: string): string => `email-code ${email}`

/** How many an address gets from all clients together. */
const addressBounds = (email: string) =>
  [
    [`${codeAccount(email)} hour`, { max: 15, window: 3600 }],
    [`${codeAccount(email)} day`, { max: 40, window: daySeconds }],
  ] as const

/**
 * Counts a request of a code or link. A network has a smaller share than the address, so that a stranger leaves some to the owner, and
 * a click too many sends no second email.
 * @param email in lower case
 * @returns false when one of the limits is reached: nothing is sent, and the response is the same
 */
export function countCodeRequest(app: App, kind: string, email: string): Promise<boolean> {
  const { actor } = app
  const network = 'ipAddress' in actor ? networkOf(actor.networkAddress ?? actor.ipAddress) : ''
  const name = codeAccount(email)
  return countForLimits(app, [
    [`${name} ${kind} ${network} pause`, { max: 1, window: pause }],
    [`${name} ${kind} ${network}`, { max: 5, window: 3600 }],
    ...addressBounds(email),
  ])
}

const suspension = (email: string): string => `${codeAccount(email)} longer`
const wrongCodes = (email: string): string => `${codeAccount(email)} wrong`

/** A code for an address. @param digits as configured; an address with many wrong guesses gets more */
export const codeFor = async (app: App, email: string, digits: number): Promise<string> =>
  randomCode(app, (await hasHappened(app, suspension(email))) ? Math.max(digits, longerCode) : digits)

/** Notes a wrong guess of a code that there is. */
export async function noteWrongCode(ctx: CallContext, kind: string, email: string): Promise<void> {
  const owner = await findUserByEmail(ctx, email)
  if (owner) ctx.subject.userId = owner.id
  const target = owner ? { target: { type: 'user', id: owner.id } } : {}
  await transaction(ctx, async (tx) => {
    await recordEvent(tx, { action: 'email-code.failed', outcome: 'failed', ...target, details: { kind } })
    if (await countOne(tx, wrongCodes(email), { max: suspiciousGuesses - 1, window: daySeconds })) return
    if (await isFirstTime(tx, suspension(email), daySeconds)) await recordEvent(tx, { action: 'email-code.suspended', ...target })
  })
}

export interface EmailCodeState extends AttemptState {
  /** After many wrong codes in a day. */
  readonly hasLongerCodes: boolean
  /** Seconds until the address gets codes and links again; 0: now. */
  readonly sendsIn: number
}

/** What limits the codes and links that an address gets, and its guesses, from all networks together. */
export async function explainEmailCodes(app: App, address: string): Promise<EmailCodeState> {
  const email = address.toLowerCase()
  return {
    ...(await explainAttempts(app, codeAccount(email), null)).account,
    hasLongerCodes: await hasHappened(app, suspension(email)),
    sendsIn: await waitForRoom(app, addressBounds(email)),
  }
}

/** Resets what `explainEmailCodes` reports; the shares of single networks stay. @returns how many counters were above zero */
export async function clearEmailCodes(app: App, address: string): Promise<number> {
  const email = address.toLowerCase()
  const names = [...addressBounds(email).map(([name]) => name), wrongCodes(email), suspension(email)]
  return (await clearAttempts(app, codeAccount(email), null)) + (await clearOwnCounts(app, names))
}
