/** No statement drops what another program has, in either direction, and none of a run is executed when one would. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { down, up } from '../../src/migrate/index.ts'
import { openPlace, type Place } from './kit.ts'
import { after, before } from './schemas.ts'

const target = ({ db, dialect, dir }: Place) => ({ db, dialect, dir, holder: 'the test' })
const run = (place: Place, text: string) => sql.raw(text).execute(place.db)

async function openApplied(to: 1 | 2): Promise<Place> {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to })
  return place
}

/** A table of an app with a foreign key to one of ours. */
async function refer(place: Place, table: string): Promise<void> {
  const like = `create table orders as select id as other from ${table} where 1 = 0`
  await run(place, like)
  await run(place, `alter table orders add constraint orders_fk foreign key (other) references ${table} (id)`)
}

test('a migration drops no table to which another program has added a column', async () => {
  const place = await openApplied(1)
  await run(place, 'alter table legacy add column balance int')
  for (const dryRun of [true, false])
    await expect(up({ ...target(place), dryRun })).rejects.toMatchObject({
      code: 'NAMES_TAKEN',
      exitCode: 5,
      details: ['column legacy.balance'],
    })
  await run(place, 'alter table legacy drop column balance')
  await place.expectSchema(before)
  await up(target(place))
  await place.expectSchema(after)
})

test.each([
  ['migration', 1, 'legacy', up],
  ['rollback', 2, 'team', down],
] as const)('a %s drops no table that replaced its own', async (_, to, table, change) => {
  const place = await openApplied(to)
  await run(place, `drop table ${table}`)
  await run(place, `create table ${table} (id int primary key)`)
  await expect(change(target(place))).rejects.toMatchObject({ code: 'NAMES_TAKEN', details: [`table ${table}`] })
})

test.each([
  ['migration', 1, 'legacy', up, before],
  ['rollback', 2, 'team', down, after],
] as const)('a %s names foreign keys of other programs before its first statement', async (_, to, table, change, schema) => {
  const place = await openApplied(to)
  await refer(place, table)
  for (const dryRun of [true, false])
    await expect(change({ ...target(place), dryRun })).rejects.toMatchObject({
      code: 'STILL_REFERENCED',
      exitCode: 5,
      details: ['foreign key orders.orders_fk'],
    })
  await run(place, 'drop table orders')
  await place.expectSchema(schema)
  await change(target(place))
})

test('a foreign key of another program hinders no change of the table that it refers to', async () => {
  const place = await openApplied(1)
  await refer(place, 'user')
  await up(target(place))
  await down(target(place))
})
