/** The behaviour that queries rely on, on every database. */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeStatements, describeTransactions } from './database-transactions.ts'
import { describeComparison, describeSearches, describeValues } from './database-values.ts'
import { describeForeignKeys, describeWrites } from './database-writes.ts'
import { createTables, openProbe, type Probe, probes } from './probe.ts'

interface Place {
  readonly url: string
  drop(): Promise<void>
}

/** @param create makes an empty database @param options of the section `database` */
export function databaseSuite(name: string, create: () => Promise<Place>, options: Parameters<typeof openProbe>[1] = {}): void {
  describe(`${name}, as a database`, () => {
    let place: Place
    let probe: Probe
    beforeAll(async () => {
      place = await create()
      probe = await openProbe(place.url, options)
      await createTables(probe)
    })
    afterAll(async () => {
      await probe?.close()
      await place?.drop()
    })
    beforeEach(async () => {
      for (const table of ['kept', 'freed', 'removed', 'probe'] as const) await probes(probe.app).deleteFrom(table).execute()
    })
    const open = () => ({ ...probe, db: probes(probe.app) })
    describeComparison(open)
    describeValues(open)
    describeForeignKeys(open)
    describeWrites(open, () => openProbe(place.url, options))
    describeTransactions(open)
    describeStatements(open)
    describeSearches(open)
  })
}
