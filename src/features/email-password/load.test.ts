import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('beyond the queue of hashes the answer is 503 with Retry-After, and a session is found meanwhile', async () => {
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
  const answers = await flood
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status === 200).length).toBe(40 - refused.length)
  expect(refused[0]?.body).toEqual({ code: 'SERVICE_UNAVAILABLE', message: 'Service unavailable. Please try again later.' })
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
})
