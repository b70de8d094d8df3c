/** How long codes and links by email take from the request to their use, which shows operators that mail is slow (contract 13 §9). */
import type { App } from '../../core/app.ts'
import { afterCommit } from '../../core/transaction.ts'

/** The newest sign-ins that are looked at, and how many by email are needed for a median. */
const recentSignIns = 1000
const enough = 5

/** For the event of a sign-in by email. */
export const mailDelay = (seconds: number) => ({ mailSeconds: Math.round(seconds) })

/** Counts a used code or link, once its transaction is committed. @param seconds since it was requested */
export const noteMailUse = (tx: App, kind: string, seconds: number): Promise<void> =>
  afterCommit(tx, async () => {
    tx.metrics.count('sign_in_mail', { kind, outcome: 'used' })
    tx.metrics.observe('sign_in_mail_delay', seconds, { kind })
  })

/**
 * The median of the seconds between the request of a code or link and the sign-in with it.
 * @returns null when too few of the newest sign-ins were by email
 */
export async function readMailDelay({
  db,
}: Pick<App, 'db'>): Promise<{ readonly seconds: number; readonly count: number } | null> {
  const newest = db.selectFrom('auditEvent').select('details').where('action', '=', 'user.signed-in').orderBy('createdAt', 'desc')
  const events = await newest.limit(recentSignIns).execute()
  const delays = events
    .map(({ details }) => Reflect.get(Object(details), 'mailSeconds'))
    .filter((seconds) => typeof seconds === 'number')
    .sort((one, other) => one - other)
  const seconds = delays[Math.floor(delays.length / 2)]
  return seconds === undefined || delays.length < enough ? null : { seconds, count: delays.length }
}
