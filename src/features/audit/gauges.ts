/** What is known of the audit log without reading it: its last verification, and the events that have no number yet. */
import type { App } from '../../core/app.ts'
import type { Gauges, Measurement } from '../../core/gauges.ts'
import { readAuditStatus } from './verification.ts'

const declared = {
  audit_events: { help: 'Numbered events of the audit log' },
  audit_last_verified_timestamp_seconds: { help: 'When the audit log was verified last; absent: never' },
  audit_broken: { help: '1: the last verification found a change, or its result was changed' },
  audit_unnumbered: { help: 'Events without a number in the chain; 10,000 at most' },
  audit_unnumbered_oldest_seconds: { help: 'Age of the oldest event without a number; 0: all have one' },
}

const mostCounted = 10_000

/** The number of events without a number, up to 10,000, and the time of the oldest one. */
export async function readUnnumbered({ db }: App): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  const events = db.selectFrom('auditEvent').select('createdAt').where('sequence', 'is', null)
  const found = await events.orderBy('createdAt').limit(mostCounted).execute()
  return { count: found.length, oldestAt: found[0]?.createdAt ?? null }
}

async function measure(app: App): Promise<Measurement[]> {
  const [status, unnumbered] = [await readAuditStatus(app), await readUnnumbered(app)]
  const { verifiedAt } = status
  const age = unnumbered.oldestAt ? Math.max(0, (app.now().getTime() - unnumbered.oldestAt.getTime()) / 1000) : 0
  return [
    { name: 'audit_events', value: status.events },
    ...(verifiedAt ? [{ name: 'audit_last_verified_timestamp_seconds', value: verifiedAt.getTime() / 1000 }] : []),
    { name: 'audit_broken', value: status.state === 'broken' ? 1 : 0 },
    { name: 'audit_unnumbered', value: unnumbered.count },
    { name: 'audit_unnumbered_oldest_seconds', value: age },
  ]
}

export const gauges: Gauges = { declared, read: measure }
