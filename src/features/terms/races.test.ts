/** Concurrent answers: one sign-in goes on, and each version is accepted once. */
import { expect, test } from 'vitest'
import { expectOneWinner, many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { hasSession } from '../../../tests/kit/second-factor.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const documents = [{ id: 'privacy', version: '1', url: 'https://example.com/privacy' }]
const accepted = { body: { terms: { privacy: '1' } } }

test.each(places)('of 64 tabs that accept in one sign-in, one gets the session, at %s', async (place) => {
  const kit = await openRacers(place, { terms: { documents } })
  const owner = kit.browser()
  await owner.call('POST /sign-up/email', { body: ann })
  const answers = await race(kit.browsers(owner), (browser) => browser.call('POST /terms/accept', accepted))
  expectOneWinner(answers, '401 INVALID_TERMS_COOKIE')
  expect(answers.filter(hasSession)).toHaveLength(1)
  expect(await kit.app.db.selectFrom('termsAcceptance').select('version').execute()).toEqual([{ version: '1' }])
})

test.each(places)('of 64 tabs of one session, all succeed, and one row and one event are written, at %s', async (place) => {
  const requiredFrom = new Date((await openRacers(place)).app.now().getTime() + 60_000).toISOString()
  const kit = await openRacers(place, { terms: { documents: documents.map((document) => ({ ...document, requiredFrom })) } })
  const owner = kit.browser()
  await owner.call('POST /sign-up/email', { body: ann })
  kit.clock.advance(60)
  const answers = await race(kit.browsers(owner), (browser) => browser.call('POST /terms/accept', accepted))
  expect(tally(answers)).toEqual({ 200: many })
  expect(await kit.app.db.selectFrom('termsAcceptance').select('version').execute()).toEqual([{ version: '1' }])
  const events = kit.app.db.selectFrom('auditEvent').select('action').where('action', '=', 'terms.accepted')
  expect(await events.execute()).toHaveLength(1)
})
