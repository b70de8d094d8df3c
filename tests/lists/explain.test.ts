/** Explanations with a large audit log: bounded reads, whatever it contains. `EXPLAIN_ROWS=1000000` measures with a million events. */
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { flushDenials } from '../../src/features/audit/index.ts'
import { setUserRole } from '../../src/features/roles/index.ts'
import { testApp } from '../kit/app.ts'
import { freshDatabase, freshKeyspace, startDatabase } from '../kit/servers/index.ts'
import { countReads } from './reads.ts'

const rows = Number(process.env.EXPLAIN_ROWS ?? 65_536)
const address = '192.0.2.1'
/** Rows and index entries that an explanation reads at most, however many events there are. */
const mostReads = 55_000

/** One user and one IP address have nearly all events, and only the oldest of them were rejected. */
async function arrange() {
  const server = await startDatabase(['--innodb-buffer-pool-size=1G', '--innodb-flush-log-at-trx-commit=0'])
  onTestFinished(server.stop)
  const [database, keyspace] = [await freshDatabase(server.url), await freshKeyspace()]
  onTestFinished(keyspace.drop)
  const kit = await testApp({ admin: true, database: { url: database.url, queryTimeout: 300_000 }, redis: keyspace.redis })
  const admin = kit.browser()
  const user = { name: 'Ada', email: 'ada@other.example.com', password: 'correct horse battery' }
  const { id } = (await admin.call('POST /sign-up/email', { body: user })).body.user
  await setUserRole(kit.app, id, 'admin')
  const [from, to] = [kit.app.now().getTime() - 86_400_000, kit.app.now().getTime()]
  const event = (position: number) => ({
    id: `event-${String(position).padStart(9, '0')}`,
    createdAt: new Date(from + position),
    ...{ action: position < 20 ? 'access.denied' : 'user.signed-in', outcome: position < 20 ? 'denied' : 'succeeded' },
    ...{ actorKind: 'user', actorId: id, actorName: null, impersonatedBy: null, targetType: 'user', targetId: id, userId: id },
    ...{ organizationId: null, ipAddress: address, ipHash: 'hash', requestId: `request-${position}`, code: 'code' },
    details: JSON.stringify({ code: 'FORBIDDEN', route: 'GET /admin/list-users' }),
  })
  const batch = 1024
  await kit.app.db
    .insertInto('auditEvent')
    .values(Array.from({ length: batch }, (_, at) => event(at)) as never)
    .execute()
  for (let count = batch; count < rows; count *= 2)
    await sql`insert into auditEvent (id, createdAt, action, outcome, actorKind, actorId, targetType, targetId, userId, ipAddress, ipHash, requestId, details, code)
      select concat('copy-', lpad(cast(substr(id, -9) as unsigned) + ${count}, 9, '0')), from_unixtime(${from / 1000} + (cast(substr(id, -9) as unsigned) + ${count}) * ${(to - from) / 1000 / rows}),
        'user.signed-in', 'succeeded', actorKind, actorId, targetType, targetId, userId, ipAddress, ipHash, concat('copy-', ${count}, id), details, code
      from auditEvent where id like 'event-%' or id like 'copy-%'`.execute(kit.app.db)
  await sql`analyze table auditEvent`.execute(kit.app.db)
  return { ...kit, admin, user, id }
}

test.skipIf(inject('servers') === null)(
  'explains a request, a user and an IP address with bounded reads',
  async () => {
    const { admin, app, user, settled, browser } = await arrange()
    const refused = await admin.call('GET /admin/list-users', { query: { limit: 'no number' } as never })
    const denied = await browser().call('GET /list-sessions', {})
    await settled()
    await flushDenials(app)
    const counter = countReads(app)
    const subjects = {
      request: String(denied.headers.get('x-request-id')),
      'unknown request': String(refused.headers.get('x-request-id')),
      email: user.email,
      ip: address,
      code: 'INVALID_ORIGIN',
    }
    for (const [name, subject] of Object.entries(subjects)) {
      const started = performance.now()
      const { result, reads, statements } = await counter.measure(() => admin.call('GET /admin/explain', { query: { subject } }))
      process.stderr.write(`explain ${name}, ${rows} events: ${reads} reads, ${Math.round(performance.now() - started)} ms\n`)
      expect([name, result.status]).toEqual([name, 200])
      if (name === 'email' || name === 'ip') expect([name, result.body.isComplete]).toEqual([name, false])
      expect([name, reads > mostReads ? statements.slice(0, 3) : []]).toEqual([name, []])
    }
  },
  600_000,
)
