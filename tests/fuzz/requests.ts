/** Requests made from the OpenAPI document: many that it accepts, and many that differ from it. */
import fc, { type Arbitrary } from 'fast-check'
import { callsOf, type Document, type DocumentedCall, type JSONSchema, type Parameter } from '../kit/documented.ts'
import { accepted, strangeText, strangeValue } from './values.ts'

/** `bearer` and `key` are the user too, with other credentials than a cookie. */
export const clients = ['anonymous', 'user', 'admin', 'bearer', 'key', 'forged'] as const

/** Plain data, so that a failing request can be read. `⟦…⟧` stands for what exists in the database. */
export interface FuzzRequest {
  readonly client: (typeof clients)[number]
  readonly method: string
  /** As in the document; null for a path that it does not have. */
  readonly call: string | null
  /** Below the base path, encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Each character above U+00FF is sent as UTF-8, or the low byte of it if `isBinary`. */
  readonly body: string | null
  readonly isBinary: boolean
}

type Pair = readonly [name: string, value: string]

/** How often input is changed into what the document does not allow. */
const mostly = <T>(usual: Arbitrary<T>, strange: Arbitrary<T>, weight: number): Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight }, { arbitrary: strange, weight: 1 })

export function requestsOf(document: Document): Arbitrary<FuzzRequest> {
  const resolve = (schema: JSONSchema): JSONSchema => {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
    return name === undefined ? schema : (document.components.schemas[name] ?? {})
  }
  // Each call is as likely as any other, however many parameters it has.
  // It would reject nearly every request after it.
  const calls = callsOf(document).filter(({ path }) => path !== '/admin/incident/freeze')
  const ofCalls = calls.map((call) => requestOf(call, resolve))
  return fc.oneof({ arbitrary: fc.oneof(...ofCalls), weight: 30 }, { arbitrary: ofNoCall, weight: 1 })
}

function requestOf(call: DocumentedCall, resolve: (schema: JSONSchema) => JSONSchema): Arbitrary<FuzzRequest> {
  const { method, path, operation } = call
  const parameters = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  const isPublic = operation.security.length === 0
  return fc
    .record({
      client: fc.oneof(
        { arbitrary: fc.constantFrom<FuzzRequest['client']>('user', 'admin'), weight: isPublic ? 4 : 16 },
        { arbitrary: fc.constantFrom<FuzzRequest['client']>('bearer', 'key'), weight: isPublic ? 1 : 6 },
        { arbitrary: fc.constantFrom<FuzzRequest['client']>('anonymous', 'forged'), weight: 2 },
      ),
      values: fc.tuple(
        ...parameters('path').map(({ schema, name }) => mostly(textOf(accepted(schema, resolve, name)), strangeText, 2)),
      ),
      query: mostly(queryOf(parameters('query'), resolve), strangeQuery, 6),
      isRaw: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
      headers: mostly(fc.constant({}), strangeHeaders, 3),
      sent: method === 'POST' ? bodyOf(operation.requestBody?.content ?? {}, resolve) : fc.constant(noBody),
    })
    .map(({ client, values, query, isRaw, headers, sent }) => {
      const filled = parameters('path').reduce(
        (text, { name }, at) => text.replace(`{${name}}`, () => encode(values[at] ?? '', isRaw)),
        path,
      )
      const search = query.map(([name, value]) => `${encode(name, isRaw)}=${encode(value, isRaw)}`).join('&')
      const { contentType, accept, ...body } = sent
      return {
        client,
        method,
        call: `${method} ${path}`,
        target: search ? `${filled}?${search}` : filled,
        headers: {
          ...(contentType !== null && { 'content-type': contentType }),
          ...(accept !== undefined && { accept }),
          ...headers,
        },
        ...body,
      }
    })
}

const textOf = (values: Arbitrary<unknown>): Arbitrary<string> => values.map(String)

function queryOf(parameters: readonly Parameter[], resolve: (schema: JSONSchema) => JSONSchema): Arbitrary<Pair[]> {
  const each = parameters.map(({ name, required, schema }) => {
    const value = mostly(accepted(schema, resolve, name), strangeValue, 25)
    const pairs = value.map((one): Pair[] => (Array.isArray(one) ? one : [one]).map((part): Pair => [name, text(part)]))
    return required ? mostly(pairs, fc.constant([]), 25) : mostly(fc.constant<Pair[]>([]), pairs, 2)
  })
  return fc.tuple(...each).map((pairs) => pairs.flat())
}

const text = (value: unknown): string => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))

const strangeQuery: Arbitrary<Pair[]> = fc.oneof(
  fc.array(fc.tuple(strangeText, strangeText), { maxLength: 5 }),
  fc.integer({ min: 50, max: 3000 }).map((count) => Array.from({ length: count }, (_, at): Pair => [`k${at % 700}`, 'v'])),
  fc
    .constantFrom('callbackURL', 'token', '__proto__', 'limit')
    .chain((name) => fc.array(fc.tuple(fc.constant(name), strangeText), { maxLength: 70 })),
)

interface Body extends Pick<FuzzRequest, 'body' | 'isBinary'> {
  readonly contentType: string | null
  readonly accept?: string
}
const noBody: Body = { contentType: null, body: null, isBinary: false }

function bodyOf(
  content: Readonly<Record<string, { readonly schema: JSONSchema; readonly example?: unknown }>>,
  resolve: (schema: JSONSchema) => JSONSchema,
): Arbitrary<Body> {
  const [[type = 'application/json', media] = []] = Object.entries(content)
  const { schema = { type: 'object' }, example = {} } = media ?? {}
  const values = fc.oneof({ arbitrary: accepted(schema, resolve), weight: 5 }, { arbitrary: fc.constant(example), weight: 1 })
  const asSent = (value: unknown): Body =>
    type === 'application/json' ? json(value) : { contentType: type, body: formText(value), isBinary: false }
  const usual = values.map(asSent)
  return fc.oneof(
    { arbitrary: usual, weight: 14 },
    { arbitrary: oneMemberChanged(values).map(asSent), weight: 4 },
    { arbitrary: strangeValue.map(json), weight: 1 },
    { arbitrary: values.chain(strangeForm), weight: 1 },
    { arbitrary: values.chain(pageForm), weight: 2 },
    { arbitrary: brokenText(values), weight: 1 },
  )
}

const json = (value: unknown): Body => ({ contentType: 'application/json', body: JSON.stringify(value) ?? '', isBinary: false })

/** A wrong type, a missing member, or one that the call does not know. */
const oneMemberChanged = (values: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), strangeValue, fc.boolean()).map(([value, at, strange, isAdded]) => {
    const names = Object.keys(Object(value))
    const name = isAdded || names.length === 0 ? ['__proto__', 'constructor', 'unknown'][at % 3] : names[at % names.length]
    const members = Object.entries(Object(value)).filter(([known]) => known !== name)
    return Object.fromEntries([...members, ...(strange === null ? [] : [[name, strange]])])
  })

const formText = (value: unknown): string =>
  Object.entries(Object(value))
    .map(([name, member]) => `${encode(name, false)}=${encode(text(member), false)}`)
    .join('&')

function strangeForm(value: unknown): Arbitrary<Body> {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=v`).join('&')
  const part = (name: string, member: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${member}\r\n`
  const parts = Object.entries(Object(value)).map(([name, member]) => part(name, text(member)))
  const form = { contentType: 'application/x-www-form-urlencoded', isBinary: false }
  const multipart = { contentType: 'multipart/form-data; boundary=b', isBinary: false }
  return fc.oneof(
    fc.constantFrom<Body>(
      { ...form, body: formText(value) },
      { ...form, body: '%zz=%&=&&__proto__=1' },
      { ...multipart, body: `${parts.join('')}--b--\r\n` },
      { ...multipart, body: parts.join('') },
      { ...multipart, body: `${part('__proto__', 'x').repeat(150)}--b--` },
      { ...multipart, contentType: 'multipart/form-data', body: 'x' },
    ),
    fc.integer({ min: 90, max: 20_000 }).map((count): Body => ({ ...form, body: fields(count) })),
  )
}

/** As a browser sends a form of a hosted page; also of a page that has no such form, or does not exist. */
const pageForm = (value: unknown): Arbitrary<Body> =>
  fc
    .oneof(
      fc.constantFrom(
        '',
        '/sign-in?callbackURL=%2Fafter',
        '/sign-in?callbackURL=https%3A%2F%2Fevil.test',
        '/reset-password',
        '/accept-invitation?id=x',
        '/verify-email?token=%00',
        '//evil.test/sign-in',
        'https://evil.test/sign-in',
      ),
      strangeText,
    )
    .map((page) => ({
      contentType: 'application/x-www-form-urlencoded',
      accept: 'text/html',
      body: `${formText(value)}&latchkey%3Apage=${encode(page, false)}`,
      isBinary: false,
    }))

/** JSON that is cut off, has a key twice, is not UTF-8, is too large, or has another type. */
const brokenText = (values: Arbitrary<unknown>): Arbitrary<Body> =>
  fc.tuple(values, fc.nat({ max: 200 }), fc.integer({ min: 0, max: 7 })).map(([value, at, kind]) => {
    const { body: whole, ...rest } = json(value)
    const written = whole ?? ''
    const broken: readonly Body[] = [
      { ...rest, body: written.slice(0, at) },
      { ...rest, body: written.replace('{', '{"email":1,"email":"a@b.c","__proto__":{"admin":true},') },
      { ...rest, body: written.replace(/"([^"]*)"\}$/, '"\xff\xfe\xc3"}'), isBinary: true },
      { ...rest, body: written.replace(/"([^"]*)"\}$/, '"\\ud800\\u0000"}') },
      { ...rest, body: `{"a":"${'x'.repeat(at * 1000)}"}` },
      { ...rest, body: '['.repeat(at * 100) },
      {
        contentType: ['text/plain', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'x', ''][at % 5] ?? '',
        body: written,
        isBinary: false,
      },
      { ...rest, body: '' },
    ]
    return broken[kind] ?? noBody
  })

const strangeHeader = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    'x',
    'a=b; c',
    ';;;=',
    '"',
    'latchkey.session_token=%',
    'latchkey.session_token=a.b; latchkey.session_data=x.y',
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  strangeText.map(headerText),
)
/** The bytes of its UTF-8 form, without those that end a header. */
function headerText(value: string): string {
  const bytes = Buffer.from(value).toString('latin1')
  return [...bytes]
    .filter((character) => character >= ' ' && character !== '\x7f')
    .join('')
    .slice(0, 4000)
}

const strangeHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  ...[
    'cookie',
    'authorization',
    'x-api-key',
    'origin',
    'referer',
    'accept',
    'accept-language',
    'user-agent',
    'content-type',
    'sec-fetch-site',
    'x-forwarded-for',
    'x-captcha-response',
    'x-requested-with',
    'if-none-match',
  ].map((name) => strangeHeader.map((value) => ({ [name]: value }))),
  strangeHeader.map((value) => ({ authorization: `Bearer ${value}` })),
  fc.constant({ accept: 'text/html' }),
)

const ofNoCall: Arbitrary<FuzzRequest> = fc
  .record({
    client: fc.constantFrom(...clients),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'),
    path: fc.oneof(
      strangeText,
      fc.webPath(),
      fc.constantFrom(
        '/reference',
        '/reference/%',
        '/error?error=%zz',
        '/set-up?token=%00',
        '/mailbox',
        '/mailbox/%ff',
        '/../..',
        '//',
        '/sign-in/email/',
      ),
    ),
    isRaw: fc.boolean(),
    headers: strangeHeaders,
  })
  .map(({ client, method, path, isRaw, headers }) => ({
    client,
    method,
    call: null,
    target: path.startsWith('/') && !isRaw ? encodeURI(path.toWellFormed()) : `/${encode(path, isRaw)}`,
    headers,
    body: null,
    isBinary: false,
  }))

/** @param isRaw as bytes of UTF-8, apart from what ends a target; else percent-encoded */
const encode = (value: string, isRaw: boolean): string =>
  isRaw
    ? [...value.slice(0, 3000)].filter((character) => character > ' ' && character !== '\x7f').join('')
    : encodeURIComponent(value.slice(0, 3000).toWellFormed())
