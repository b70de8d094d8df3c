/** Code that makes a call, in the words of its example: for a shell, for the page of an application, and for a script in Python. */
import type { Call, OpenAPI, Operation, Parameter } from './document.ts'

/** By its ID: the name that readers know, and what writes it. */
export const languages = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const
export type Language = keyof typeof languages

const successOf = ({ responses }: Operation) => responses['200']

/** A request with the values of the examples. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly isForm: boolean; readonly value: unknown } | null
  /** How a program outside of browsers shows who it is. */
  readonly credential: 'none' | 'bearer' | 'cookie'
  /** Whether a success sets the session cookie. */
  readonly startsSession: boolean
  /** Whether it only leads a browser on. */
  readonly isRedirect: boolean
}

const placeholder = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]+/g, '_').toUpperCase()

const exampleOf = ({ name, example }: Parameter): string =>
  typeof example === 'string' || typeof example === 'number' || typeof example === 'boolean' ? String(example) : placeholder(name)

export function sentBy({ servers }: OpenAPI, { method, path, operation }: Call): Sent {
  const { parameters, requestBody, security } = operation
  const of = (place: Parameter['in']) => parameters.filter((each) => each.in === place && each.required)
  const filled = of('path').reduce((text, each) => text.replace(`{${each.name}}`, encodeURIComponent(exampleOf(each))), path)
  const query = of('query').map((each) => `${each.name}=${encodeURIComponent(exampleOf(each))}`)
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const isForm = type === 'application/x-www-form-urlencoded'
  const accepts = (name: string) => security.some((scheme) => name in scheme)
  const isOptional = security.some((scheme) => Object.keys(scheme).length === 0)
  return {
    method,
    url: `${servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: Object.fromEntries(of('header').map((each) => [each.name, exampleOf(each)])),
    // The API reads every POST as JSON.
    body: method === 'POST' ? { isForm, value: media?.example ?? {} } : null,
    credential: security.length === 0 || isOptional ? 'none' : accepts('bearerAuth') ? 'bearer' : 'cookie',
    startsSession: security.length === 0 && successOf(operation)?.headers?.['set-cookie'] !== undefined,
    isRedirect: successOf(operation) === undefined && operation.responses['302'] !== undefined,
  }
}

const bearer = 'Bearer SESSION_TOKEN'
/** Of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const asForm = (value: unknown): [string, string][] => Object.entries(Object(value)).map(([name, each]) => [name, String(each)])

function curl({ url, headers, body, credential, startsSession }: Sent): string {
  const all = { ...headers, ...(credential === 'bearer' && { authorization: bearer }) }
  return [
    `curl ${quoted(url)}`,
    ...(credential === 'cookie' ? ['-b cookies.txt'] : startsSession ? ['-c cookies.txt'] : []),
    ...Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body?.isForm ? asForm(body.value).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`) : []),
    ...(body && !body.isForm ? [`--json ${quoted(JSON.stringify(body.value, null, 2))}`] : []),
  ].join(' \\\n  ')
}

interface Notation {
  readonly key: (name: string) => string
  readonly words: Readonly<Record<string, string>>
}
/** In the quotes that it does not contain. */
const text = (value: string): string => {
  const json = JSON.stringify(value)
  return value.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`
}
const javascriptNotation: Notation = {
  key: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : text(name)),
  words: { true: 'true', false: 'false', null: 'null' },
}
const pythonNotation: Notation = { key: text, words: { true: 'True', false: 'False', null: 'None' } }

/** A value of JSON as a literal. @param indent spaces before the line of its end */
function literal(value: unknown, notation: Notation, indent: number, step: number): string {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return notation.words[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(
    ([name, each]) => `${isList ? '' : `${notation.key(name)}: `}${literal(each, notation, indent + step, step)}`,
  )
  const [open, close] = isList ? '[]' : '{}'
  if (members.length === 0) return `${open}${close}`
  const inner = ' '.repeat(indent + step)
  return `${open}\n${members.map((each) => `${inner}${each},\n`).join('')}${' '.repeat(indent)}${close}`
}

function javascript({ method, url, headers, body, credential, isRedirect }: Sent): string {
  if (isRedirect && method === 'GET') return `location.assign(${text(url)})`
  const sentHeaders = { ...headers, ...(body && !body.isForm && { 'content-type': 'application/json' }) }
  const bodyLiteral = body && literal(body.value, javascriptNotation, 2, 2)
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    // The cookie of a session also goes to an API on another origin.
    ...(credential === 'none' && method === 'GET' ? [] : [`credentials: 'include'`]),
    ...(Object.keys(sentHeaders).length > 0 ? [`headers: ${literal(sentHeaders, javascriptNotation, 2, 2)}`] : []),
    ...(body ? [`body: ${body.isForm ? `new URLSearchParams(${bodyLiteral})` : `JSON.stringify(${bodyLiteral})`}`] : []),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.map((each) => `  ${each},\n`).join('')}}`
  return `const response = await fetch(${text(url)}${given})
const result = await response.json()
if (!response.ok) throw new Error(\`\${result.code}: \${result.message}\`)`
}

function python({ method, url, headers, body, credential }: Sent): string {
  const all = { ...headers, ...(credential === 'bearer' && { authorization: bearer }) }
  const given = [
    text(url),
    ...(Object.keys(all).length > 0 ? [`headers=${literal(all, pythonNotation, 4, 4)}`] : []),
    ...(body ? [`${body.isForm ? 'data' : 'json'}=${literal(body.value, pythonNotation, 4, 4)}`] : []),
  ]
  // A session of requests stores the cookie that sign-in sets.
  const start = credential === 'cookie' ? '# session: the one that has signed in' : 'session = requests.Session()'
  return `import requests

${start}
response = session.${method.toLowerCase()}(
${given.map((each) => `    ${each},\n`).join('')})
response.raise_for_status()
print(response.json())`
}

const writers: Readonly<Record<Language, (sent: Sent) => string>> = { curl, javascript, python }

/** The code of each language. */
export const snippetsOf = (sent: Sent): readonly (readonly [Language, string])[] =>
  (Object.keys(languages) as Language[]).map((language) => [language, writers[language](sent)])
