import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import {
  admin,
  anonymous,
  apiKey,
  genericOAuth,
  jwt,
  multiSession,
  oneTimeToken,
  openAPI,
  organization,
  phoneNumber,
  username,
} from 'better-auth/plugins'
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { callsOf, createDocumentCheck, type Document, type JSONSchema } from '../../../tests/kit/documented.ts'
import { everything } from '../../../tests/kit/everything.ts'
import { extend } from '../../core/app.ts'
import { areas } from '../../core/areas.ts'
import type { Page } from '../../core/reply.ts'
import { mountRoutes } from '../../http/routing.ts'
import { createServer } from '../../http/server.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { openAPIDocument } from './document.ts'
import { routes } from './index.ts'

async function openDocument(config: ConfigFile = everything) {
  const { app } = await testApp(config)
  return { app, document: openAPIDocument(app) as unknown as Document }
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
  expect(Object.keys(body.components.securitySchemes).toSorted()).toEqual(['apiKeyCookie', 'bearerAuth'])
  expect(body.security).toEqual([{ apiKeyCookie: [], bearerAuth: [] }])
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
  expect(names.slice(-3)).toEqual(['Open-api', 'Admin', 'Default'])
  expect(Object.keys(areas)).toEqual(expect.arrayContaining(names.slice(0, -2)))
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(body.paths).slice(0, 2)).toEqual(['/sign-up/email', '/sign-in/email'])
})

const titleVerbs =
  /^(Accept|Add|Approve|Ban|Cancel|Change|Check|Confirm|Continue|Count|Create|Decline|Delete|Erase|Explain|Export|Freeze|Generate|Get|Impersonate|Join|Leave|Lift|Link|List|Lock|Open|Pause|Postpone|Refresh|Reject|Remove|Rename|Request|Reset|Restore|Resume|Retire|Retry|Revoke|Rotate|Send|Set|Sign|Stop|Switch|Unfreeze|Unlink|Unlock|Update|Use|Verify) /

test('each public call of the routing is documented, and no other', async () => {
  const { app, document } = await openDocument()
  const routed = mountRoutes(app).filter(
    ([, { declaration }]) => declaration.access.kind !== 'server' && !declaration.undocumented,
  )
  const documented = callsOf(document).map(({ method, path }) => `${method} ${path.replaceAll(/{(\w+)}/g, ':$1')}`)
  expect(documented.toSorted()).toEqual(routed.map(([key]) => key).toSorted())
})

test('each call has an imperative title of its own, an area, a description and examples of its own', async () => {
  const { document } = await openDocument()
  const titles: string[] = []
  for (const { method, path, operation } of callsOf(document)) {
    const key = `${method} ${path}`
    expect(`${operation.summary} `, key).toMatch(titleVerbs)
    expect(titles, key).not.toContain(operation.summary)
    titles.push(operation.summary)
    expect(operation.summary.split(' ').length, key).toBeLessThanOrEqual(8)
    expect(operation.description, key).toMatch(/^[A-Z][^*]*\.\n\n\*\*Access:\*\* /)
    expect(`${operation.summary} ${operation.description}`, key).not.toMatch(/\bcallers?\b/)
    expect(Object.keys(areas), key).toContain(operation.tags[0])
    const examples = [operation.requestBody, operation.responses[200]].map((part) => JSON.stringify(Object(part).content))
    expect(examples.join(), `${key}: a member without an example of its own`).not.toMatch(/(?<!"type")[:[]"text"/)
  }
})

test('each example is valid, by an independent validator', async () => {
  const { document } = await openDocument()
  const { invalid, findResponse } = createDocumentCheck(document)
  const faults: string[] = []
  let checked = 0
  for (const { method, path, operation } of callsOf(document)) {
    const check = (place: string, schema: JSONSchema, example: unknown) => {
      checked += 1
      const fault = invalid(schema, example)
      if (fault) faults.push(`${method} ${path}, ${place}: ${fault}`)
    }
    for (const { name, schema, example } of operation.parameters) if (example !== undefined) check(name, schema, example)
    for (const media of Object.values(operation.requestBody?.content ?? {})) check('request', media.schema, media.example)
    for (const status of Object.keys(operation.responses)) {
      const media = findResponse(operation, Number(status))?.content?.['application/json']
      if (!media) continue
      expect('example' in media || 'examples' in media, `${method} ${path}, ${status}: no example`).toBe(true)
      if ('example' in media) check(status, media.schema, media.example)
      for (const { value } of Object.values(media.examples ?? {})) check(status, media.schema, value)
    }
  }
  expect(faults).toEqual([])
  expect(checked).toBeGreaterThan(500)
})

test('a call says which credential it needs, and which are accepted', async () => {
  const { document } = await openDocument()
  const {
    '/sign-in/email': signIn,
    '/update-user': update,
    '/change-password': change,
    '/admin/list-users': list,
  } = document.paths
  expect(signIn?.post?.security).toEqual([])
  const ofSession = [{ apiKeyCookie: [] }, { bearerAuth: [] }]
  const ofAny = [...ofSession, { apiKey: [] }]
  expect([update, change, list].map((path) => (path?.post ?? path?.get)?.security)).toEqual([ofAny, ofSession, ofAny])
  expect(document.paths['/get-session']?.get?.security).toEqual([{}, ...ofAny])
  expect(document.components.securitySchemes.apiKeyCookie).toMatchObject({ in: 'cookie', name: 'latchkey.session_token' })
})

test('each feature that authenticates declares its security schemes', () => {
  const silent = Object.entries(featureList).filter(([, { authenticate, securitySchemes }]) => authenticate && !securitySchemes)
  expect(silent.map(([name]) => name)).toEqual([])
})

test('calls of a plugin have the tag that better-auth gives them', async () => {
  const { document } = await openDocument()
  const plugins = [admin(), anonymous(), apiKey(), genericOAuth({ config: [] }), jwt(), multiSession(), oneTimeToken()]
  const more = [openAPI(), organization({ teams: { enabled: true } }), phoneNumber(), username()]
  const expected = new Map(
    [...plugins, ...more].flatMap(({ id, endpoints }) =>
      Object.values(endpoints).map(({ path }): [string, string] => [path, id.charAt(0).toUpperCase() + id.slice(1)]),
    ),
  )
  const wrong = callsOf(document).flatMap(({ path, operation: { tags } }) => {
    const plugin = expected.get(path.replaceAll(/{(\w+)}/g, ':$1'))
    return tags.at(-1) === plugin || (plugin === undefined && tags.length > 0) ? [] : [`${path}: ${tags} instead of ${plugin}`]
  })
  expect(wrong).toEqual([])
  expect(document.paths['/sign-up/email']?.post?.tags).toEqual(['Sign-up and sign-in', 'Default'])
  expect(document.paths['/organization/create']?.post?.tags).toEqual(['Organizations', 'Organization'])
})

test('a body is required unless the call accepts none', async () => {
  const { document } = await openDocument()
  const optional = callsOf(document).filter(({ operation }) => operation.requestBody?.required === false)
  expect(optional.map(({ path }) => path)).toEqual(expect.arrayContaining(['/callback/{id}']))
  const form = document.paths['/callback/{id}']?.post?.requestBody
  expect(Object.keys(form?.content ?? {})).toEqual(['application/x-www-form-urlencoded'])
})

test('a redirect has its target and its error codes', async () => {
  const { document } = await openDocument()
  const { responses } = document.paths['/callback/{id}']?.get ?? {}
  expect(Object.keys(responses ?? {})).not.toContain('200')
  expect(responses?.[302]).toMatchObject({
    description: expect.stringContaining('`state_not_found`'),
    headers: { location: {}, 'set-cookie': {} },
  })
  expect(Object.keys(document.paths['/verify-email']?.get?.responses ?? {})).toEqual(expect.arrayContaining(['200', '302']))
})

test('limits and outages say when to try again; a page says how many rows there are', async () => {
  const { document } = await openDocument()
  const { TooManyRequests, ServiceUnavailable } = document.components.responses
  expect(Object.keys(TooManyRequests?.headers ?? {})).toEqual(['retry-after', 'x-retry-after'])
  expect(Object.keys(ServiceUnavailable?.headers ?? {})).toEqual(['retry-after'])
  expect(document.paths['/organization/list']?.get?.responses[200]).toMatchObject({ headers: { 'x-total-count': {}, link: {} } })
})

test('shared schemas are named: a user, a session and an organization are each described once', async () => {
  const { document } = await openDocument()
  const inResponse = (path: string, method: string) =>
    JSON.stringify(Object(document.paths[path]?.[method]?.responses[200]).content['application/json'].schema)
  expect(inResponse('/get-session', 'get')).toContain('"user":{"$ref":"#/components/schemas/User"}')
  expect(inResponse('/list-sessions', 'get')).toBe('{"type":"array","items":{"$ref":"#/components/schemas/ListedSession"}}')
  expect(inResponse('/organization/list-members', 'get')).toBe('{"$ref":"#/components/schemas/MemberPage"}')
  // A name with two meanings would stay in its place, with its title.
  expect(JSON.stringify(document.paths)).not.toMatch(/"title":"[A-Z][A-Za-z]+"/)
})

test('a captcha is a header of the calls that it protects', async () => {
  const { document } = await openDocument({
    openAPI: true,
    captcha: { provider: 'hcaptcha', secretKey: 'secret of the captcha', siteKey: 'site' },
  })
  const headersOf = (path: string) => document.paths[path]?.post?.parameters.filter((parameter) => parameter.in === 'header')
  expect(headersOf('/sign-in/email')?.map(({ name, required }) => [name, required])).toEqual([
    ['x-captcha-response', true],
    ['x-captcha-user-remote-ip', false],
  ])
  expect(headersOf('/sign-out')).toEqual([])
  expect(JSON.stringify(document.paths['/sign-in/email']?.post?.responses[400])).toContain('MISSING_CAPTCHA_RESPONSE')
})

test('omits disabled calls', async () => {
  const { browser } = await testApp({ openAPI: true, disabledPaths: ['/sign-up/email', '/sign-out/', '/reset-password/:token'] })
  const { body } = await browser().call('GET /open-api/generate-schema', {})
  for (const path of ['/sign-up/email', '/sign-out', '/reset-password/{token}'])
    expect(Object.keys(body.paths)).not.toContain(path)
  expect(Object.keys(body.paths)).toContain('/sign-in/email')
})

const addressesIn = (page: string) => [...page.matchAll(/ (?:src|href)="([^"#]+)/g)].map(([, address = '']) => address)

test('the pages of the reference load files of the daemon only, and have no script or style in them', async () => {
  const { browser } = await testApp({ openAPI: true })
  const { body, headers } = await browser().request('/reference/sessions')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(body).not.toMatch(/<style| style=|<script(?! type="module" src=)/)
  const addresses = addressesIn(body).filter((address) => !address.startsWith('?'))
  expect(addresses.filter((address) => !/^\/api\/auth\/(reference|open-api\/generate-schema)/.test(address))).toEqual([])
  for (const address of new Set(addresses.filter((each) => /\.(js|css|svg)$/.test(each)))) {
    const file = await browser().request(address.replace('/api/auth', ''))
    expect([file.status, /url\(["']?(https?:|\/\/)/.test(file.body)], address).toEqual([200, false])
  }
  for (const name of ['..%2F..%2Fpackage.json', 'constructor', 'render.js'])
    expect((await browser().request(`/reference/${name}`)).status, name).toBe(404)
})

test('each call of the document has its place in the reference, to which every page links', async () => {
  const { browser } = await testApp(everything)
  const visitor = browser()
  const { body: document } = await visitor.call('GET /open-api/generate-schema', {})
  const { body: overview } = await visitor.request('/reference')
  const linked = [...overview.matchAll(/href="\/api\/auth\/reference\/([\w-]+)#(\w+)"/g)].map(([, name, id]) => ({ name, id }))
  const documented = callsOf(document).map(({ operation }) => operation.operationId)
  expect(linked.map(({ id }) => id).toSorted()).toEqual(documented.toSorted())
  for (const [name, links] of Map.groupBy(linked, (link) => link.name)) {
    const { body } = await visitor.request(`/reference/${name}`)
    const missing = links.filter(({ id }) => !body.includes(`<section id="${id}"`))
    expect(missing, name).toEqual([])
  }
})

test('a page of the reference says its own words in the language of its visitor, and what the document says in English', async () => {
  const { browser } = await testApp({ openAPI: true })
  const visitor = browser()
  const { body } = await visitor.request('/reference/sessions?lang=de')
  expect(body).toMatch(/<html lang="de".*Beispielantwort.*<div lang="en"/s)
  expect((await visitor.request('/reference')).body).toContain('<html lang="de"')
})

test('requests at the same time share one copy of a file', async () => {
  const { app, browser } = await testApp({ openAPI: true })
  const { body } = await browser().request('/reference')
  const [script = ''] = addressesIn(body).filter((address) => address.endsWith('.js'))
  const { handler } = routes['GET /reference/:name'].declaration
  const request = { header: () => undefined }
  const load = () => handler(extend(app, { request, params: { name: script.split('/').at(-1) } }) as never) as Promise<Page>
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

async function withDocument() {
  const { app } = await testApp({ openAPI: true })
  const server = createServer(app, { reasons: async () => [] })
  const fetchAs = (encoding: string, headers: Record<string, string> = {}) =>
    server.request('http://localhost:3000/api/auth/open-api/generate-schema', {
      headers: { 'accept-encoding': encoding, ...headers },
    })
  return { fetchAs }
}

test('sends the document compressed to clients that accept gzip, and as it is to others', async () => {
  const { fetchAs } = await withDocument()
  const [plain, refused, compressed] = [await fetchAs('identity'), await fetchAs('br, gzip;q=0'), await fetchAs('br, gzip')]
  expect([plain, refused, compressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, null, 'gzip'])
  expect(compressed.headers.get('content-type')).toBe('application/json')
  const text = await plain.text()
  const packed = Buffer.from(await compressed.arrayBuffer())
  expect(gunzipSync(packed).toString()).toBe(text)
  expect(packed.length).toBeLessThan(text.length / 5)
})

test('responds with 304 to a client that has the document, in the encoding that it accepts', async () => {
  const { fetchAs } = await withDocument()
  for (const encoding of ['identity', 'gzip']) {
    const first = await fetchAs(encoding)
    const etag = first.headers.get('etag') ?? ''
    expect([first.headers.get('cache-control'), etag]).toEqual(['no-cache', expect.stringMatching(/^"[\w-]+"$/)])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetchAs(encoding, { 'if-none-match': known })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
      expect(again.headers.get('vary')).toBe('Origin, Accept-Encoding')
    }
    expect((await fetchAs(encoding, { 'if-none-match': '"other"' })).status).toBe(200)
  }
})
