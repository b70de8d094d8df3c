/**
 * Every text that a call accepts can be stored on the database, at its limit and in any script; one that is longer is rejected as
 * input. The limits come from the OpenAPI document; a text without one is sent longer than any column.
 */
import { expect, test } from 'vitest'
import { openAPIDocument } from '../../src/features/open-api/index.ts'
import { administrate } from '../kit/administration.ts'
import { type TestApp, testApp } from '../kit/app.ts'
import { callsOf, type Document, type DocumentedCall, type JSONSchema } from '../kit/documented.ts'
import { everything } from '../kit/everything.ts'
import { password } from '../kit/members.ts'

/** One byte, three bytes, four bytes in two units, a letter whose lower case has two characters, and one that JSON escapes. */
const fillers = ['a', '名', '𐐀', 'İ', '\u0001'] as const
const unlimited = 70_000

/** In units of JavaScript. URLs begin as those that are accepted do. */
const textOf = (name: string, filler: string, length: number): string => {
  const start = /url|redirect/i.test(name) ? '/' : ''
  return (start + filler.repeat(Math.floor((length - start.length) / filler.length))).padEnd(length, 'a')
}

/** A text in a body or a query. */
interface Member {
  readonly path: readonly string[]
  readonly length: number
}

function membersOf(document: Document, given: JSONSchema, path: readonly string[] = []): Member[] {
  const reference = typeof given.$ref === 'string' ? given.$ref.split('/').at(-1) : undefined
  const schema = (reference ? document.components.schemas[reference] : given) ?? {}
  const parts = [schema.anyOf, schema.allOf].flatMap((some) => (Array.isArray(some) ? (some as JSONSchema[]) : []))
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined
  const length = typeof schema.maxLength === 'number' ? schema.maxLength : unlimited
  const inside = path.length < 3 ? Object.entries((schema.properties ?? {}) as Record<string, JSONSchema>) : []
  return [
    ...(isText && path.length > 0 ? [{ path, length }] : []),
    ...inside.flatMap(([key, member]) => membersOf(document, member, [...path, key])),
    ...parts.flatMap((part) => membersOf(document, part, path)),
  ]
}

type Body = Readonly<Record<string, unknown>>

const withMember = (body: Body, [first = '', ...rest]: readonly string[], value: string): Body => ({
  ...body,
  [first]: rest.length > 0 ? withMember(Object(body[first]), rest, value) : value,
})

/** An administrator who owns an organization, and the IDs of what exists. */
async function filled(kit: TestApp) {
  const { ada, uma } = await administrate(kit)
  const post = async (path: string, body: object) => (await ada.browser.call(`POST ${path}` as never, { body } as never)).body
  const { id: organizationId, members } = await post('/organization/create', { name: 'Acme', slug: 'acme' })
  const { id: teamId } = await post('/organization/create-team', { name: 'Design', organizationId })
  const { id: invitationId } = await post('/organization/invite-member', {
    email: 'x@example.org',
    role: 'member',
    organizationId,
  })
  const { id: keyId } = await post('/api-key/create', { name: 'key' })
  const ids = { organizationId, memberId: members[0].id, teamId, invitationId, keyId, userId: uma.userId }
  return {
    cookies: [...ada.browser.cookies],
    ids,
    known: { ...ids, password, currentPassword: password } as Record<string, unknown>,
  }
}

/** Of what must be unique, so that the request gets to the database. */
let count = 0
const unique = (): Body => {
  count += 1
  const inOne = { email: `u${count}@example.org`, slug: `s${count}`, username: `user${count}`, newEmail: `n${count}@example.org` }
  return inOne
}

/** Calls that would remove what later ones need. */
const isEnding = ({ path }: DocumentedCall): boolean =>
  /sign-out|delete|remove|erase|revoke|retire|leave|cancel|reject|stop-/.test(path)

test('no text is a server error, at its limit or one above it', { timeout: 300_000 }, async () => {
  const kit = await testApp({
    ...everything,
    session: { freshAge: 0 },
    attempts: { enabled: false },
    mailLimit: { enabled: false },
  })
  const { cookies, known } = await filled(kit)
  const document = openAPIDocument(kit.app) as unknown as Document
  const failed: string[] = []
  const statuses = new Map<number, number>()
  const send = async (call: DocumentedCall, body: Body, query: string) => {
    const browser = kit.browser()
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const init = call.method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await browser.request(`${call.path.replace(/{\w+}/, 'github')}${query}`, { method: call.method, ...init })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return answer
  }
  for (const call of callsOf(document)) {
    const media = call.operation.requestBody?.content['application/json']
    const query: JSONSchema = {
      properties: Object.fromEntries(
        call.operation.parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]),
      ),
    }
    if (isEnding(call)) continue
    const example = Object.entries(Object(media?.example)).map(([name, value]) => [name, known[name] ?? value])
    for (const { path, length } of membersOf(document, media?.schema ?? query)) {
      for (const filler of fillers) {
        for (const above of length === unlimited ? [0] : [0, 1]) {
          const text = textOf(path.at(-1) ?? '', filler, length + above)
          const fresh = Object.entries(unique()).filter(([name]) => example.some(([other]) => other === name))
          const body = withMember({ ...Object.fromEntries(example), ...Object.fromEntries(fresh) }, path, text)
          // A longer URL is rejected before it gets to the call.
          const search = media ? '' : `?${new URLSearchParams({ [path[0] ?? '']: text.slice(0, 1500) })}`
          const { status, body: answer } = await send(call, body, search)
          const what = `${call.method} ${call.path} ${path.join('.')}: ${length}+${above} of ${JSON.stringify(filler)}`
          // Of a preview, which needs the pages that a daemon has built.
          const isPreview = answer?.code === 'ONLY_KNOWN_TO_A_DAEMON'
          if (status >= 500 && !isPreview) failed.push(`${what} is ${status} ${JSON.stringify(answer)}`)
        }
      }
    }
  }
  expect(failed).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(300)
  expect(statuses.get(400)).toBeGreaterThan(300)
})
