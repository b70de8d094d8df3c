import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'

test('the document is valid OpenAPI 3.1, by an independent validator', async () => {
  const { browser } = await testApp({ openAPI: true })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  const validator = new Validator()
  const result = await validator.validate(body)
  expect(result.errors).toBeUndefined()
  expect([result.valid, validator.version]).toEqual([true, '3.1'])
  expect(body.openapi).toBe('3.1.1')
})

test('the document names calls, tables and security as the contract says', async () => {
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

test('each call has an id of its own, the two of one path too', async () => {
  const { browser } = await testApp({ openAPI: true })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  const operations: { operationId: string }[] = Object.values<object>(body.paths).flatMap((methods) => Object.values(methods))
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([])
  expect(ids).toEqual(expect.arrayContaining(['signInEmail', 'accountInfo', 'accountInfoGet']))
})

test('disabled calls are not described', async () => {
  const { browser } = await testApp({ openAPI: true, disabledPaths: ['/sign-up/email'] })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  expect(body.paths).not.toHaveProperty(['/sign-up/email'])
})

test('the page is made of files of this machine only', async () => {
  const { browser } = await testApp({ openAPI: true })
  const page = await browser().request('/reference')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
  expect(addresses.filter((address) => !address.startsWith('data:'))).toEqual([
    '/api/auth/reference/swagger-ui.css',
    '/api/auth/reference/swagger-ui-bundle.js',
    '/api/auth/reference/initializer.js',
  ])
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'initializer.js']) {
    expect((await browser().request(`/reference/${name}`)).status).toBe(200)
  }
  expect((await browser().request('/reference/..%2F..%2Fpackage.json')).status).toBe(404)
  expect((await browser().request('/reference/constructor')).status).toBe(404)
})

test('without the section neither page nor document exist', async () => {
  const { browser } = await testApp()
  expect((await browser().request('/reference')).status).toBe(404)
  expect((await browser().request('/open-api/generate-schema')).status).toBe(404)
})

test('the page alone can be left out', async () => {
  const { browser } = await testApp({ openAPI: { disableDefaultReference: true } })
  expect((await browser().request('/reference')).status).toBe(404)
  expect((await browser().request('/open-api/generate-schema')).status).toBe(200)
})
