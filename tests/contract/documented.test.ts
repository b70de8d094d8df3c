/** Real responses are what the OpenAPI document says. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAPIDocument } from '../../src/features/open-api/index.ts'
import { administrate } from '../kit/administration.ts'
import { type TestApp, testApp } from '../kit/app.ts'
import type { Answer, Browser } from '../kit/browser.ts'
import { callsOf, createDocumentCheck, type Document, type DocumentedCall } from '../kit/documented.ts'
import { everything } from '../kit/everything.ts'

const password = 'correct horse battery staple'

/** Browsers whose every response is compared with the document; what is different fails the test when it ends. */
async function documentedApp() {
  const kit = await testApp({ ...everything, session: { freshAge: 0 } })
  const document = openAPIDocument(kit.app) as unknown as Document
  const check = createDocumentCheck(document)
  const calls = new Map(callsOf(document).map((call) => [`${call.method} ${call.path.replaceAll(/{(\w+)}/g, ':$1')}`, call]))
  const faults: string[] = []
  const compare = (call: DocumentedCall, answer: Answer) => {
    const fault = check.differs(call, answer)
    if (fault) faults.push(`${call.method} ${call.path}: ${fault}`)
    return answer
  }
  onTestFinished(() => expect(faults).toEqual([]))
  const visitor = (browser = kit.browser()): Browser => ({
    ...browser,
    call: async (key, input, headers) => {
      const call = calls.get(key)
      if (!call) throw new Error(`${key} is not documented`)
      return compare(call, await browser.call(key, input, headers))
    },
  })
  return { kit, document, visitor, compare }
}

async function signUp(browser: Browser, name: string): Promise<string> {
  const body = { name, email: `${name.toLowerCase()}@example.com`, password }
  const { body: signedUp } = await browser.call('POST /sign-up/email', { body })
  return signedUp.user.id
}

describe('a journey: each response is valid by the document', () => {
  test('of a user and their sessions', async () => {
    const { visitor } = await documentedApp()
    const [ann, other] = [visitor(), visitor()]
    expect((await ann.call('GET /get-session', {})).body).toBeNull()
    expect((await ann.call('GET /list-sessions', {})).status).toBe(401)
    await signUp(ann, 'Ann')
    const body = { email: 'ann@example.com', password }
    expect((await other.call('POST /sign-in/email', { body: { ...body, password: 'not hers at all' } })).status).toBe(401)
    expect((await other.call('POST /sign-in/email', { body })).status).toBe(200)
    expect((await ann.call('GET /get-session', {})).body.user.name).toBe('Ann')
    expect((await ann.call('GET /list-sessions', {})).body).toHaveLength(2)
    expect((await ann.call('POST /update-user', { body: { name: 'Anna' } })).status).toBe(200)
    expect((await ann.call('GET /list-accounts', {})).body).toHaveLength(1)
    const change = { currentPassword: password, newPassword: 'another horse battery', revokeOtherSessions: true }
    expect((await ann.call('POST /change-password', { body: change })).body.token).not.toBeNull()
    expect((await ann.call('GET /export-data', {})).status).toBe(200)
    expect((await ann.call('GET /verify-email', { query: { token: 'unknown' } })).status).toBe(401)
    expect((await ann.call('GET /verify-email', { query: { token: 'unknown', callbackURL: '/' } })).status).toBe(302)
    expect((await ann.call('GET /callback/:id', { params: { id: 'github' }, query: { state: 'unknown' } })).status).toBe(302)
    expect((await ann.call('POST /sign-out', {})).status).toBe(200)
  })

  test('of an organization', async () => {
    const { visitor } = await documentedApp()
    const [ann, bob] = [visitor(), visitor()]
    await signUp(ann, 'Ann')
    await signUp(bob, 'Bob')
    const created = await ann.call('POST /organization/create', {
      body: { name: 'Acme', slug: 'acme', metadata: { plan: 'pro' } },
    })
    const organizationId: string = created.body.id
    const invite = { email: 'bob@example.com', role: 'member', organizationId } as const
    expect((await ann.call('POST /organization/invite-member', { body: invite })).status).toBe(200)
    expect((await ann.call('POST /organization/create-team', { body: { name: 'Design', organizationId } })).status).toBe(200)
    expect((await ann.call('GET /organization/list', { query: { limit: 1 } })).headers.get('x-total-count')).toBe('1')
    expect((await ann.call('GET /organization/get-full-organization', {})).body.members).toHaveLength(1)
    expect((await ann.call('GET /organization/list-members', { query: { organizationId } })).status).toBe(200)
    expect((await ann.call('GET /organization/list-invitations', { query: { organizationId } })).body).toHaveLength(1)
    expect((await ann.call('GET /organization/list-teams', { query: { organizationId } })).status).toBe(200)
    expect((await bob.call('GET /organization/list-members', { query: { organizationId } })).status).toBe(403)
    expect((await ann.call('POST /organization/delete', { body: { organizationId } })).body.slug).toBe('acme')
  })

  test('of an administrator', async () => {
    const { kit, visitor } = await documentedApp()
    const { ada } = await administrate(kit)
    const admin = visitor(ada.browser)
    const userId = await signUp(visitor(), 'Bob')
    expect((await admin.call('GET /admin/list-users', { query: {} })).body.users.length).toBeGreaterThan(1)
    expect((await admin.call('GET /admin/get-user', { query: { id: userId } })).body.name).toBe('Bob')
    expect((await admin.call('POST /admin/ban-user', { body: { userId, banReason: 'Spam' } })).body.user.banned).toBe(true)
    expect((await admin.call('POST /admin/unban-user', { body: { userId } })).status).toBe(200)
    expect((await admin.call('POST /admin/impersonate-user', { body: { userId } })).body.user.id).toBe(userId)
    expect((await admin.call('POST /admin/stop-impersonating', {})).status).toBe(200)
    expect((await admin.call('GET /admin/list-events', { query: {} })).body.events.length).toBeGreaterThan(3)
    expect((await admin.call('GET /admin/overview', { query: {} })).status).toBe(200)
    expect((await admin.call('GET /admin/health', {})).status).toBe(200)
    expect((await admin.call('GET /admin/export-user', { query: { userId } })).status).toBe(200)
    expect((await admin.call('POST /admin/erase-user', { body: { userId } })).status).toBe(200)
  })
})

const clients: Readonly<Record<string, (kit: TestApp) => Promise<Browser>>> = {
  'an anonymous client': async (kit) => kit.browser(),
  'a user': async (kit) => {
    const user = kit.browser()
    await signUp(user, 'Ann')
    return user
  },
  'an administrator': async (kit) => (await administrate(kit)).ada.browser,
}

test.each(Object.entries(clients))('every call with its example responds to %s as it is documented', async (_, signIn) => {
  const { kit, document, compare } = await documentedApp()
  const keeper = await signIn(kit)
  const calls = callsOf(document)
  for (const call of calls) {
    // A copy, because some calls end the session.
    const browser = kit.browser()
    for (const [name, value] of keeper.cookies) browser.cookies.set(name, value)
    compare(call, await sendExample(browser, call))
  }
  expect(calls.length).toBeGreaterThan(100)
})

/** With the required parameters. */
function sendExample(browser: Browser, { method, path, operation }: DocumentedCall): Promise<Answer> {
  const required = operation.parameters.filter((parameter) => parameter.required)
  const target = required
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))), path)
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }): [string, string] => [name, String(example)])
  const url = query.length > 0 ? `${target}?${new URLSearchParams(query)}` : target
  if (method === 'GET') return browser.request(url)
  const [contentType = 'application/json', media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const isForm = contentType !== 'application/json'
  const body = isForm ? new URLSearchParams(Object(media?.example)).toString() : JSON.stringify(media?.example ?? {})
  return browser.request(url, { method, headers: { 'content-type': contentType }, body })
}
