import { expect, test } from 'vitest'
import type { Call, OpenAPI, Operation } from './document.ts'
import { type Language, sentBy, snippetsOf } from './snippets.ts'

const document = { servers: [{ url: 'https://accounts.example.com/api/auth' }] } as unknown as OpenAPI
const operation: Operation = {
  ...{ operationId: 'x', tags: [], summary: 'X', description: '', security: [], parameters: [] },
  responses: { 200: {} },
}
const bearer = { security: [{ apiKeyCookie: [] }, { bearerAuth: [] }] }

function codeOf(call: Omit<Call, 'operation'>, more: Partial<Operation>): Readonly<Record<Language, string>> {
  const sent = sentBy(document, { ...call, operation: { ...operation, ...more } })
  return Object.fromEntries(snippetsOf(sent)) as Record<Language, string>
}

test('the body of the example is JSON for a shell, and a literal in each language', () => {
  const example = { name: "Ann's", isAdmin: true, tags: ['a', null], 'x-y': {} }
  const { curl, javascript, python } = codeOf(
    { method: 'POST', path: '/set' },
    { requestBody: { required: true, content: { 'application/json': { schema: {}, example } } } },
  )
  const [, json = ''] = /--json '(.*)'$/s.exec(curl) ?? []
  expect(JSON.parse(json.replaceAll("'\\''", "'"))).toEqual(example)
  const [, literal] = /JSON\.stringify\((.*?)\),\n/s.exec(javascript) ?? []
  expect(new Function(`return (${literal})`)()).toEqual(example)
  expect(python).toContain(`'isAdmin': True,`)
  expect(python).toContain(`        None,\n`)
  expect(python).toContain(`'name': "Ann's",`)
})

test('required parameters are in the URL with their examples, or with their names', () => {
  const { curl } = codeOf(
    { method: 'GET', path: '/picture/{id}' },
    {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: {}, example: 'a/b' },
        { name: 'teamId', in: 'query', required: true, schema: {} },
        { name: 'limit', in: 'query', required: false, schema: {}, example: 10 },
        { name: 'x-captcha-response', in: 'header', required: true, schema: {} },
      ],
    },
  )
  expect(curl).toBe(
    "curl 'https://accounts.example.com/api/auth/picture/a%2Fb?teamId=TEAMID' \\\n  -H 'x-captcha-response: X_CAPTCHA_RESPONSE'",
  )
})

test('a program sends the token of a session, or its cookie where tokens are not accepted; a browser its cookie', () => {
  const call = { method: 'GET', path: '/get-session' }
  const { curl, javascript, python } = codeOf(call, bearer)
  expect(curl).toContain("-H 'authorization: Bearer SESSION_TOKEN'")
  expect(python).toContain("'authorization': 'Bearer SESSION_TOKEN'")
  expect(javascript).toContain("credentials: 'include'")
  expect(javascript).not.toContain('Bearer')
  expect(codeOf(call, { security: [{ apiKeyCookie: [] }] }).curl).toContain('-b cookies.txt')
})

test('a form is sent as one, and a call that only redirects is opened', () => {
  const content = { 'application/x-www-form-urlencoded': { schema: {}, example: { code: 'a b' } } }
  const form = codeOf({ method: 'POST', path: '/callback/x' }, { requestBody: { required: true, content } })
  expect(form.curl).toContain("--data-urlencode 'code=a b'")
  expect(form.javascript).toContain('body: new URLSearchParams({')
  const opened = codeOf({ method: 'GET', path: '/callback/x' }, { responses: { 302: {} } })
  expect(opened.javascript).toBe("location.assign('https://accounts.example.com/api/auth/callback/x')")
})
