/** Lists of tables with a hundred thousand rows: no filter, order or pair of them reads more than a stated number of rows. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { setUserRole } from '../../src/features/roles/index.ts'
import { testApp } from '../kit/app.ts'
import { callsOf, type Document } from '../kit/documented.ts'
import { freshDatabase, freshKeyspace, startDatabase } from '../kit/servers/index.ts'
import { isScan, listCases, pageParameters, type Query, queriesOf, rowId } from './cases.ts'
import { config } from './config.ts'
import { countReads } from './reads.ts'
import { insertRows, rowCount } from './rows.ts'

/** Rows and index entries that a call reads at most; rows of temporary tables count again. They do not grow with the tables. */
const mostReads = 55_000
/** Of a search whose up to 10,000 matches are counted and sorted: the entries of each index, and rows of temporary tables several times. */
const mostOfSearch = 75_000
const isCounted = ({ search = '' }: Query): boolean => ['user00', '00', 'name 0'].includes(search)
/** Of queries that no index can serve: each row of the table, those of temporary tables, and what else is read for a page. */
const mostScanned = 2.5 * rowCount
/**
 * Of two conditions that many users meet, and hardly any user both: a row of the first list, its user, its row of the second list, and
 * its place in the order, and what else is read for a page. MySQL chooses this plan only with some of its random estimates.
 */
const mostOfPairs = 4 * rowCount + 10_000

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
  const member = { id: 'owner', organizationId: rowId('organization', 0), userId: id, role: 'owner', createdAt: kit.app.now() }
  await kit.app.db.insertInto('member').values(member).execute()
  const joined = { id: 'owner', teamId: rowId('team', 3), userId: id, memberId: 'owner', createdAt: kit.app.now() }
  await kit.app.db.insertInto('teamMember').values(joined).execute()
  return { ...kit, admin }
}

type Kit = Awaited<ReturnType<typeof arrange>>

/** What a list offers, and the queries for each of it. A new filter or order has to have cases. */
async function readCases({ admin, app }: Kit) {
  const document = (await admin.call('GET /open-api/generate-schema', {} as never)).body as Document
  const lists = callsOf(document).filter(({ method, operation }) => method === 'GET' && operation.parameters.some(isPage))
  const [first = {}] = (await admin.call('GET /admin/list-users', { query: { limit: '1' } })).body.users
  const cases = listCases(Object.keys(first), app.now())
  const missing = lists.flatMap(({ path, operation }) => {
    const covered = new Set((cases[path] ?? []).flat().flatMap((query) => Object.keys(query)))
    const names = operation.parameters.map(({ name }) => name).filter((name) => !covered.has(name) && !pageParameters.has(name))
    return path in cases ? names.map((name) => `${path} ${name}`) : [path]
  })
  expect(missing, 'without cases').toEqual([])
  return cases
}

const isPage = ({ name }: { readonly name: string }): boolean => name === 'limit'

test.skipIf(inject('servers') === null)(
  'lists read a bounded number of rows for each filter, each order, and pairs of them',
  { timeout: 900_000 },
  async () => {
    const kit = await arrange()
    const cases = await readCases(kit)
    const counter = countReads(kit.app)
    const exceeding: string[] = []
    for (const [path, dimensions] of Object.entries(cases)) {
      const always: Query = dimensions[0]?.length === 1 ? (dimensions[0][0] ?? {}) : {}
      for (const { query, isPair } of queriesOf(dimensions)) {
        const given = { ...always, ...query, limit: '50' }
        const call = () => kit.admin.call(`GET ${path}` as 'GET /admin/list-users', { query: given as never })
        const { result, reads, statements } = await counter.measure(call)
        const limit =
          isPair && path === '/admin/list-users'
            ? mostOfPairs
            : isScan(path, query)
              ? mostScanned
              : isCounted(query)
                ? mostOfSearch
                : mostReads
        if (result.status === 200 && reads <= limit) continue
        exceeding.push(`${path}?${new URLSearchParams(query)}: ${result.status}, ${reads} reads, most in ${statements[0]?.sql}`)
      }
    }
    expect(exceeding).toEqual([])
  },
)
