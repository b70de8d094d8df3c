import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('responds 503 with Retry-After when the hashing queue is full, while sessions are still found', async () => {
  const { browser } = await testApp({ passwordHash: { memory: 65_536, iterations: 3, concurrency: 1, queue: 2 } })
  const visitor = browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  let isBusy = true
  const flood = Promise.all(
    Array.from({ length: 40 }, () =>
      browser().call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } }),
    ),
  ).finally(() => {
    isBusy = false
  })
  const found = await visitor.call('GET /get-session', {})
  expect([found.body.user.email, isBusy]).toEqual([ann.email, true])
  const responses = await flood
  const rejected = responses.filter(({ status }) => status === 503)
  expect(rejected.length).toBeGreaterThan(0)
  expect(responses.filter(({ status }) => status === 200).length).toBe(40 - rejected.length)
  expect(rejected[0]?.body).toEqual({ code: 'SERVICE_UNAVAILABLE', message: 'Service unavailable. Please try again later.' })
  expect(Number(rejected[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
})
