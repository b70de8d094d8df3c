/** `kill -9` before, in the middle of and after every statement: the next run goes on where the killed one came to. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { up } from '../../src/migrate/index.ts'
import { openPlace, type Place, startProcess } from './kit.ts'
import { after, before } from './schemas.ts'

const killed = { code: null, signal: 'SIGKILL' }
const done = { code: 0, signal: null }

/** Kills one run after the other, each at the first statement that gets to the phase; until one has nothing left to be killed at. */
async function killAtEach(place: Place, direction: 'up' | 'down', phases: readonly ('started' | 'executed')[]): Promise<number> {
  for (let kills = 0; kills < 100; kills += 1) {
    const phase = phases[kills % phases.length] ?? 'started'
    const { ended } = startProcess({ url: place.url, dir: place.dir, direction, killAt: { phase, nth: 0 } })
    const end = await ended
    if (end.signal === null) {
      expect(end).toEqual(done)
      return kills
    }
    expect(end).toEqual(killed)
  }
  throw new Error('the migration does not come to its end')
}

test('a run that is killed before and after each statement comes to its end, up and down', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...place, holder: 'the test', to: 1 })
  // In turns: killed only before its statement runs, no run would ever get any further.
  expect(await killAtEach(place, 'up', ['started', 'executed'])).toBeGreaterThan(20)
  await place.expectSchema(after)
  await killAtEach(place, 'down', ['executed'])
  await place.expectSchema(before)
}, 240_000)

test('a run killed at a moment of no choosing is completed by the next', async () => {
  const place = await openPlace()
  await place.generate()
  for (const lines of [2, 5, 8, 11, 14, 17]) {
    const run = startProcess(place)
    await expect.poll(() => run.lines.length >= lines || run.child.exitCode !== null, { timeout: 20_000, interval: 1 }).toBe(true)
    run.child.kill('SIGKILL')
    await run.ended
  }
  expect(await startProcess(place).ended).toEqual(done)
  await place.expectSchema(after)
}, 120_000)

test('a statement that the server goes on with after its run was killed is not done twice', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...place, holder: 'the test', to: 1 })
  await sql`insert into user (id, email, createdAt) values ('0', '0', '2026-01-01')`.execute(place.db)
  for (const letter of 'abcdefghijklmnop') {
    await sql`insert into user (id, email, createdAt) select concat(id, ${letter}), concat(email, ${letter}), createdAt from user`.execute(
      place.db,
    )
  }
  // Its first statements are made slow by 65,536 rows; each run is killed when it has begun one that takes a while.
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
  expect(await startProcess(place).ended).toEqual(done)
  await place.expectSchema(after)
}, 120_000)
