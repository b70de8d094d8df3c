import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { FailedCall, ReportedError } from '../features/request-hooks/index.ts'
import { refusal } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function watched(config: Parameters<typeof testApp>[0] = {}) {
  const seen: { error: ReportedError; call: FailedCall }[] = []
  const onError = (error: ReportedError, call: FailedCall) => void seen.push({ error, call })
  const kit = await testApp({ ...config, onAPIError: { onError } })
  return { ...kit, visitor: kit.browser(), seen }
}

describe('onAPIError.onError', () => {
  test('gets every error as the client gets it, and nothing else', async () => {
    const { settled, visitor, seen } = await watched({
      hooks: {
        before: ({ path }) => {
          if (path === '/sign-out') throw refusal({ status: 403, message: 'Not today' })
        },
      },
    })
    const wrong = await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: 'x'.repeat(20) } })
    // Each is reported after its response.
    await settled()
    const empty = await visitor.request('/sign-in/email', { method: 'POST' })
    await settled()
    const refused = await visitor.call('POST /sign-out', {})
    await visitor.call('GET /ok', {})
    await visitor.request('/nothing')
    await visitor.request('/reset-password/unknown?callbackURL=/reset')
    await expect.poll(() => seen).toHaveLength(3)
    expect(seen.map(({ error, call }) => [error.status, error.code, error.message, error.cause, call])).toEqual([
      [401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password', undefined, callOf('/sign-in/email', wrong)],
      [400, 'VALIDATION_ERROR', 'Invalid body parameters', undefined, callOf('/sign-in/email', empty)],
      [403, 'NOT_TODAY', 'Not today', expect.any(Error), callOf('/sign-out', refused)],
    ])
    expect(seen[0]?.error).toBeInstanceOf(Error)
  })

  test('gets the cause of an unexpected failure without values of the request', async () => {
    const { app, visitor, seen, log } = await watched()
    await app.db.schema.dropTable('account').execute()
    const answer = await visitor.call('POST /sign-up/email', { body: ann })
    await expect.poll(() => seen).toHaveLength(1)
    const [{ error, call } = { error: null, call: null }] = seen
    expect([error?.status, error?.code, call]).toEqual([500, 'INTERNAL_SERVER_ERROR', callOf('/sign-up/email', answer)])
    expect(String(Object(error?.cause).message)).toContain('account')
    const reported = [error, error?.cause].flatMap((part) =>
      Object.getOwnPropertyNames(part).map((name) => String(Object(part)[name])),
    )
    expect(reported.join()).not.toContain('argon2id')
    expect(reported.join()).not.toContain(ann.password)
    // The log has it as before.
    expect(log.some((line) => line.includes('A call failed unexpectedly'))).toBe(true)
  })

  test('gets the declared path, because the path as sent may contain a secret; the log neither', async () => {
    const { app, visitor, seen, log } = await watched()
    await app.db.schema.dropTable('verification').execute()
    const token = 'SecretSecretSecretSecret'
    expect((await visitor.request(`/reset-password/${token}?callbackURL=/reset`)).status).toBe(500)
    await expect.poll(() => seen).toHaveLength(1)
    expect(seen[0]?.call.path).toBe('/reset-password/:token')
    expect(log.join()).toContain('A call failed unexpectedly')
    expect(log.join()).not.toContain(token)
  })

  test('gets an empty path for an unknown call', async () => {
    const { visitor, seen } = await watched({ rateLimit: { enabled: true, max: 1 } })
    await visitor.request('/nothing')
    await visitor.request('/nothing')
    await expect.poll(() => seen).toHaveLength(1)
    expect([seen[0]?.error.status, seen[0]?.call.path]).toEqual([429, ''])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('the watcher is unavailable')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the watcher is unavailable'))],
  ])('changes nothing when it %s, and that is logged', async (_, onError) => {
    const { browser, log } = await testApp({ onAPIError: { onError } })
    const answer = await browser().call('POST /sign-out', {})
    expect([answer.status, answer.body.code]).toEqual([400, 'FAILED_TO_GET_SESSION'])
    const id = answer.headers.get('x-request-id')
    await expect
      .poll(() => log.some((line) => line.includes('the watcher is unavailable') && line.includes(`"requestId":"${id}"`)))
      .toBe(true)
  })
})

const callOf = (path: string, answer: { readonly headers: Headers }): FailedCall => ({
  method: 'POST',
  path,
  requestId: answer.headers.get('x-request-id') ?? '',
})
