/** Lists of tables with a hundred thousand rows: no filter, order or pair of them reads more than a stated number of rows. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { setUserRole } from '../../src/features/roles/index.ts'
import { testApp } from '../kit/app.ts'
import { callsOf, type Document } from '../kit/documented.ts'
import { freshDatabase, freshKeyspace, startDatabase } from '../kit/servers/index.ts'
import { listCases, pageParameters, type Query, queriesOf, rowId } from './cases.ts'
import { config } from './config.ts'
import { countReads } from './reads.ts'
import { insertRows } from './rows.ts'

/** Rows and index entries that one call reads at most. */
const mostReads = 25_000

async function arrange() {
  // With memory for all rows, and without waiting for the disk.
  const server = await startDatabase(['--innodb-buffer-pool-size=1G', '--innodb-flush-log-at-trx-commit=0'])
  onTestFinished(server.stop)
  const [database, keyspace] = [await freshDatabase(server.url), await freshKeyspace()]
  onTestFinished(keyspace.drop)
  const url = { url: database.url, queryTimeout: 60_000 }
  const kit = await testApp({ ...config, database: url, redis: keyspace.redis })
  const admin = kit.browser()
  const user = { name: 'Ada', email: 'ada@other.example.com', password: 'correct horse battery' }
  const { id } = (await admin.call('POST /sign-up/email', { body: user })).body.user
  await setUserRole(kit.app, id, 'admin')
  await insertRows(kit.app)
  await kit.app.db
    .insertInto('member')
    .values({ id: 'owner', organizationId: rowId('organization', 0), userId: id, role: 'owner', createdAt: kit.app.now() })
    .execute()
  return { ...kit, admin }
}

test.skipIf(inject('servers') === null)(
  'lists read a bounded number of rows for each filter, each order, and pairs of them',
  { timeout: 600_000 },
  async () => {
    const started = performance.now()
    const kit = await arrange()
    console.log(`rows after ${Math.round(performance.now() - started)} ms`)
    const document = (await kit.admin.call('GET /open-api/generate-schema', {} as never)).body as Document
    const first = (await kit.admin.call('GET /admin/list-users', { query: { limit: '1' } })).body
    const columns = Object.keys(first.users[0] ?? {})
    const counter = countReads(kit.app)
    const exceeding: string[] = []
    let calls = 0
    for (const [path, dimensions] of Object.entries(listCases(columns, kit.app.now()))) {
      if (process.env.ONLY && !path.includes(process.env.ONLY)) continue
      const call = callsOf(document).find((one) => one.path === path)
      const covered = new Set(dimensions.flat().flatMap((query) => Object.keys(query)))
      const parameters = call?.operation.parameters.map(({ name }) => name) ?? []
      expect
        .soft(
          parameters.filter((name) => !covered.has(name) && !pageParameters.has(name)),
          path,
        )
        .toEqual([])
      const fixed: Query = dimensions[0]?.length === 1 ? (dimensions[0][0] ?? {}) : {}
      for (const query of queriesOf(dimensions)) {
        const given = { ...fixed, ...query, ...(parameters.includes('limit') && { limit: '50' }) }
        calls += 1
        const t0 = performance.now()
        const { result, reads, statements } = await counter.measure(() =>
          kit.admin.call(`GET ${path}` as 'GET /admin/list-users', { query: given as never }),
        )
        if (result.status !== 200)
          exceeding.push(`${path}?${new URLSearchParams(given)}: ${result.status} ${JSON.stringify(result.body)}`)
        if (reads > mostReads)
          exceeding.push(
            `${String(reads).padStart(8)} ${Math.round(performance.now() - t0)}ms ${path}?${new URLSearchParams(query)}: ${statements
              .slice(0, 1)
              .map((s) => `${s.reads} ${s.sql.replace(/\s+/g, ' ').slice(0, Number(process.env.SQL ?? 0))}`)
              .join(' | ')}`,
          )
      }
    }
    console.log(`${calls} calls, ${Math.round(performance.now() - started)} ms`)
    const { writeFileSync } = await import('node:fs')
    writeFileSync(process.env.OUT ?? '/tmp/exceeding.txt', exceeding.join('\n'))
    expect(exceeding.length).toBe(0)
  },
)
