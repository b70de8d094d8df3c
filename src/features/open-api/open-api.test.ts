import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../../tests/kit/app.ts'
import { extend } from '../../core/app.ts'
import { areas } from '../../core/feature.ts'
import type { Page } from '../../core/reply.ts'
import { resolveSchema } from '../../core/route.ts'
import { mergeTables } from '../../core/table.ts'
import { openAPIDocument } from './document.ts'
import { routes } from './index.ts'

interface Content {
  readonly content: { readonly 'application/json': { readonly example?: unknown } }
}
interface Operation {
  readonly tags: readonly string[]
  readonly description: string
  readonly requestBody?: Content
  readonly responses: Readonly<Record<number, Content>>
}

test('the document is valid OpenAPI 3.1, by an independent validator', async () => {
  const { browser } = await testApp({ openAPI: true })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  const validator = new Validator()
  const result = await validator.validate(body)
  expect(result.errors).toBeUndefined()
  expect([result.valid, validator.version]).toEqual([true, '3.1'])
  expect(body.openapi).toBe('3.1.1')
})

test('the document names calls, tables and security as the contract requires', async () => {
  const { browser } = await testApp({ openAPI: true })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  expect(body.servers).toEqual([{ url: 'http://localhost:3000/api/auth' }])
  expect(Object.keys(body.components.securitySchemes)).toEqual(['apiKeyCookie', 'bearerAuth'])
  expect(Object.keys(body.components.schemas.User.properties)).toContain('emailVerified')
  expect(Object.keys(body.components.schemas.Session.properties)).not.toContain('tokenHash')
  const signIn = body.paths['/sign-in/email'].post
  expect(signIn.requestBody.content['application/json'].schema.required).toEqual(['email', 'password'])
  expect(Object.keys(signIn.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404', '429', '500']))
  expect(body.tags).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'Default' })]))
})

test('each call has an operation ID of its own, also two of one path', async () => {
  const { browser } = await testApp({ openAPI: true })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  const operations: { operationId: string }[] = Object.values<object>(body.paths).flatMap((methods) => Object.values(methods))
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([])
  expect(ids).toEqual(expect.arrayContaining(['signInEmail', 'accountInfo', 'accountInfoGet']))
})

test('lists sign-up and sign-in first, and each area once', async () => {
  const { browser } = await testApp({ openAPI: true, mail: { catch: true } })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  const names = body.tags.map(({ name }: { name: string }) => name)
  expect(names.slice(0, 3)).toEqual(['Sign-up and sign-in', 'Sessions', 'Email verification'])
  expect(names.slice(-3)).toEqual(['Development', 'Open-api', 'Default'])
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(body.paths).slice(0, 2)).toEqual(['/sign-up/email', '/sign-in/email'])
})

const titleVerbs =
  /^(Accept|Add|Cancel|Change|Check|Confirm|Continue|Count|Create|Delete|Erase|Explain|Export|Generate|Get|Leave|Link|List|Refresh|Reject|Remove|Request|Reset|Retry|Revoke|Send|Set|Sign|Unlink|Update|Verify) /

test('each call has an imperative title of its own, an area, a description and examples that its schemas accept', async () => {
  const { app } = await testApp({
    openAPI: true,
    mail: { catch: true },
    genericOAuth: true,
    organization: { teams: true },
    username: true,
    phoneNumber: true,
  })
  const tables = mergeTables(app.features)
  const { paths } = openAPIDocument(app) as { paths: Record<string, Record<string, Operation>> }
  const routes = app.features.flatMap(({ routes = {} }) => Object.entries(routes))
  const titles: string[] = []
  for (const [key, { declaration }] of routes.filter(([, route]) => !route.declaration.undocumented)) {
    const [method = '', path = ''] = key.split(' ')
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    expect(`${declaration.summary} `, key).toMatch(titleVerbs)
    expect(titles, key).not.toContain(declaration.summary)
    titles.push(declaration.summary)
    expect(declaration.summary.split(' ').length, key).toBeLessThanOrEqual(8)
    expect(declaration.description, key).toMatch(/^[A-Z].*\.$/)
    expect(operation?.description, key).toContain('**Access:** ')
    expect(`${declaration.summary} ${operation?.description}`, key).not.toMatch(/\bcallers?\b/)
    expect(Object.keys(areas), key).toContain(operation?.tags[0])

    const sent = operation?.requestBody?.content['application/json'].example
    const body = resolveSchema(declaration.body, app.config, tables, app.features) ?? z.undefined()
    expect(body.safeParse(sent).error, key).toBeUndefined()
    const received = operation?.responses[200]?.content['application/json'].example
    const succeeds = !(declaration.returns instanceof z.ZodNever)
    expect(received !== undefined, key).toBe(succeeds)
    expect(JSON.stringify([sent, received]), `${key}: a member without an example of its own`).not.toMatch(/[:[]"text"/)
  }
})

test('omits disabled calls', async () => {
  const { browser } = await testApp({ openAPI: true, disabledPaths: ['/sign-up/email', '/sign-out/', '/reset-password/:token'] })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  for (const path of ['/sign-up/email', '/sign-out', '/reset-password/{token}'])
    expect(Object.keys(body.paths)).not.toContain(path)
  expect(Object.keys(body.paths)).toContain('/sign-in/email')
})

test('the page loads files of the daemon only', async () => {
  const { browser } = await testApp({ openAPI: true })
  const page = await browser().request('/reference')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
  expect(addresses.filter((address) => !address.startsWith('data:'))).toEqual([
    '/api/auth/reference/reference.css',
    '/api/auth/open-api/generate-schema',
    '/api/auth/reference/swagger-ui-bundle.js',
    '/api/auth/reference/reference.js',
  ])
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'reference.css', 'reference.js']) {
    expect((await browser().request(`/reference/${name}`)).status).toBe(200)
  }
  expect((await browser().request('/reference/reference.css')).body).not.toMatch(/https?:|\/\//)
  expect((await browser().request('/reference/..%2F..%2Fpackage.json')).status).toBe(404)
  expect((await browser().request('/reference/constructor')).status).toBe(404)
})

test('requests at the same time share one copy of a file', async () => {
  const { app } = await testApp({ openAPI: true })
  const { handler } = routes['GET /reference/:asset'].declaration
  const load = () => handler(extend(app, { params: { asset: 'swagger-ui-bundle.js' } }) as never) as Promise<Page>
  const [one, other] = await Promise.all([load(), load()])
  expect(one).toMatchObject({ contentType: expect.stringContaining('javascript') })
  expect(one.body === other.body).toBe(true)
})

test('responds 404 to page and document without the section', async () => {
  const { browser } = await testApp()
  expect((await browser().request('/reference')).status).toBe(404)
  expect((await browser().request('/open-api/generate-schema')).status).toBe(404)
})

test('the page alone can be disabled', async () => {
  const { browser } = await testApp({ openAPI: { disableDefaultReference: true } })
  expect((await browser().request('/reference')).status).toBe(404)
  expect((await browser().request('/open-api/generate-schema')).status).toBe(200)
})
