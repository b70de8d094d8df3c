/** What an error says in addition to the message of the contract. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { withAdmin } from '../../tests/kit/administration.ts'
import { testApp } from '../../tests/kit/app.ts'
import { everything } from '../../tests/kit/everything.ts'
import { ApiError } from '../core/errors.ts'
import { parseInput } from './input.ts'
import { type MountedRoute, mountRoutes } from './routing.ts'

test('a validation error names the parameters that are wrong, without their values', async () => {
  const { ada, browser } = await withAdmin()
  const password = ['secret-value']
  const signUp = await browser().request('/sign-up/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 7, password, name: 'Ann' }),
  })
  expect(signUp.body).toEqual({
    code: 'VALIDATION_ERROR',
    message: 'Invalid body parameters',
    details: { parameters: ['email', 'password'] },
  })
  const data = { createdAt: '2024-01-01T00:00:00Z', seats: 'secret-value' }
  const created = await ada.browser.call('POST /admin/create-user', {
    body: { email: 'x@example.com', password: 'correct horse battery', name: 'X', data } as never,
  })
  expect([created.status, created.body.details]).toEqual([400, { parameters: ['data.seats'] }])
  const listed = await ada.browser.call('GET /admin/list-users', { query: { limit: 'x', offset: -1 } as never })
  expect([listed.status, listed.body]).toMatchObject([
    400,
    { message: 'Invalid query parameters', details: { parameters: ['offset'] } },
  ])
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`member${at}${'x'.repeat(200)}`, 1]))
  const wide = await ada.browser.call('POST /admin/create-user', {
    body: { email: 'x@example.com', name: 'X', data: many } as never,
  })
  expect(wide.body.details.parameters).toHaveLength(10)
  expect(Math.max(...wide.body.details.parameters.map((name: string) => name.length))).toBe(64)
})

/** Whether the error for this input names no parameter. */
function isUnnamed(route: Partial<MountedRoute>, sent: { readonly body?: unknown; readonly query?: object }): boolean {
  try {
    parseInput({ route, params: {} } as never, { body: sent.body, query: () => sent.query as never })
    return false
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return JSON.stringify(error.details) === '{"parameters":[]}'
  }
}

const membersOf = (schema: z.ZodType): string[] =>
  Object.keys(Object(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties))

test('every call names what is wrong in its body and its query', async () => {
  const { app } = await testApp(everything)
  const tried = mountRoutes(app).flatMap(([key, { body, query }]) => [
    ...(body ? [undefined, null, {}, [], 'x', ...membersOf(body).map((name) => ({ [name]: { wrong: [] } }))] : []).map(
      (value) => [`${key} ${JSON.stringify(value)}`, isUnnamed({ body }, { body: value })] as const,
    ),
    ...(query ? membersOf(query) : []).map(
      (name) => [`${key}?${name}`, isUnnamed({ query }, { query: { [name]: 'x'.repeat(3000) } })] as const,
    ),
  ])
  expect(tried.length).toBeGreaterThan(400)
  expect(tried.filter(([, unnamed]) => unnamed).map(([what]) => what)).toEqual([])
})

test('a validation error names the parameters that are not well-formed Unicode', async () => {
  const { ada } = await withAdmin()
  const created = await ada.browser.call('POST /admin/create-user', {
    body: { email: 'x@example.com', password: 'secret \ud800', name: '\udc00' } as never,
  })
  expect([created.status, created.body.code, created.body.details]).toEqual([
    400,
    'VALIDATION_ERROR',
    { parameters: ['password', 'name'] },
  ])
})

test('a refusal because of an API key says so', async () => {
  const { ada, uma } = await withAdmin({}, { apiKey: true })
  const ask = async (by: typeof ada) => {
    const { key } = (await by.browser.call('POST /api-key/create', { body: {} })).body
    return (await by.browser.request('/admin/list-users', { headers: { 'x-api-key': key, cookie: '' } })).body
  }
  const message = 'You are not allowed to list users'
  expect(await ask(ada)).toMatchObject({ message, details: { refusedBy: 'api-key', requiredPermissions: { user: ['list'] } } })
  const own = await ask(uma)
  expect([own.message, own.details]).toEqual([message, undefined])
})
