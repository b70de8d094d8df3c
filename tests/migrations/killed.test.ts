/**
 * `kill -9` before, during and after every statement: the next run resumes where the killed one stopped. With CI set, as `.ci/run`
 * does, every statement is killed; else about a third of them, which KILLS_SEED repeats.
 */
import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Schema, status, up } from '../../src/migrate/index.ts'
import { longLockTtl as lockTtl, openPlace, type Place, startProcess } from './kit.ts'
import { after, before } from './schemas.ts'

const killed = { code: null, signal: 'SIGKILL' }
const done = { code: 0, signal: null }

const seed = process.env.KILLS_SEED ?? String(randomInt(2 ** 31))
const isComplete = Boolean(process.env.CI)
/** How many kills there must be at least, of so many that are possible. */
const leastOf = (kills: number): number => (isComplete ? kills : kills / 6)
/** How many statements reach the phase before the one that is killed: none, or 0 to 2 by the seed, which leaves a third of the kills. */
const statementsBefore = (kill: number): number =>
  isComplete ? 0 : createHash('sha256').update(`${seed} ${kill}`).digest().readUInt16BE() % 3

let kill = 0

/** Kills each run at a statement that reaches the phase, until a run completes. */
async function killAtEach(place: Place, direction: 'up' | 'down', phases: readonly ('started' | 'executed')[]): Promise<number> {
  for (let kills = 0; kills < 100; kills += 1) {
    const phase = phases[kills % phases.length] ?? 'started'
    const { ended } = startProcess({
      url: place.url,
      dir: place.dir,
      direction,
      lockTtl,
      killAt: { phase, nth: statementsBefore(kill++) },
    })
    const end = await ended
    if (end.signal === null) {
      expect(end).toEqual(done)
      return kills
    }
    expect(end).toEqual(killed)
    // The other tests wait until the lock of a killed run expires.
    await sql`delete from latchkey_lease`.execute(place.db)
  }
  throw new Error('the migration does not complete')
}

test('completes up and down although runs are killed before and after each statement', async () => {
  if (!isComplete) console.log(`a third of the kills, KILLS_SEED=${seed}`)
  const place = await openPlace()
  await place.generate()
  await sql`create table shop (id int primary key, legacy int)`.execute(place.db)
  await sql`insert into shop values (1, 2)`.execute(place.db)
  await up({ ...place, holder: 'the test', to: 1 })
  // Alternating: a run that is always killed before its statement would never make progress.
  expect(await killAtEach(place, 'up', ['started', 'executed'])).toBeGreaterThan(leastOf(20))
  const drift = async (schema: Schema) => (await status({ ...place, schema })).drift
  expect(await drift(after)).toEqual([])
  await killAtEach(place, 'down', ['executed'])
  expect(await drift(before)).toEqual([])
  await killAtEach(place, 'down', ['started', 'executed'])
  // The table of another program is there, and nothing else.
  const { rows } = await sql`select table_name as name from information_schema.tables
    where table_schema = database() and table_name not like 'latchkey%'`.execute(place.db)
  expect(rows).toEqual([{ name: 'shop' }])
  expect((await sql`select * from shop`.execute(place.db)).rows).toEqual([{ id: 1, legacy: 2 }])
}, 240_000)

test('completes a run that was killed at a random moment', async () => {
  const place = await openPlace()
  await place.generate()
  for (const lines of [2, 5, 8, 11, 14, 17]) {
    const run = startProcess(place)
    await expect.poll(() => run.lines.length >= lines || run.child.exitCode !== null, { timeout: 20_000, interval: 1 }).toBe(true)
    run.child.kill('SIGKILL')
    await run.ended
  }
  expect(await startProcess({ ...place, lockTtl }).ended).toEqual(done)
  await place.expectSchema(after)
}, 120_000)

test('does not repeat a statement that the server completes after its run was killed', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...place, holder: 'the test', to: 1 })
  await sql`insert into user (id, email, createdAt) values ('0', '0', '2026-01-01')`.execute(place.db)
  for (const letter of 'abcdefghijklmnop') {
    await sql`insert into user (id, email, createdAt) select concat(id, ${letter}), concat(email, ${letter}), createdAt from user`.execute(
      place.db,
    )
  }
  // 65,536 rows make the first statements slow; each run is killed during one of them.
  for (let kills = 0; kills < 4; kills += 1) {
    const run = startProcess(place)
    const isAtWork = async () =>
      (await sql`show processlist`.execute(place.db)).rows.some((row) =>
        /alter table `user` add unique/.test(JSON.stringify(row)),
      )
    await expect.poll(async () => run.child.exitCode !== null || (await isAtWork()), { timeout: 30_000, interval: 1 }).toBe(true)
    run.child.kill('SIGKILL')
    await run.ended
  }
  expect(await startProcess({ ...place, lockTtl }).ended).toEqual(done)
  await place.expectSchema(after)
}, 120_000)
