/** The responses of a call: its success, its redirects and its errors. */
import { isDeepStrictEqual } from 'node:util'
import { type ErrorEntry, errors } from '../../core/errors.ts'
import { type Access, freshnessOf, rejectsImpersonators } from '../../core/permissions.ts'
import type { Route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import type { JSONObject } from './components.ts'
import { exampleOf, type JSONSchema } from './examples.ts'

interface Described {
  readonly declaration: Route['declaration']
  readonly config: Config
  readonly method: string
  /** Of the JSON response; undefined for a call that always redirects. */
  readonly returns: JSONSchema | undefined
  /** Of the JSON responses in its place, by which features demand more before a session. */
  readonly challenges: readonly JSONSchema[]
  readonly refer: (schema: JSONObject) => JSONObject
  /** Headers of a success. */
  readonly headers: Readonly<Record<string, string>>
  /** What the call declares, and what features add to it. */
  readonly errors: readonly ErrorEntry[]
  /** Names of the query parameters and of the members of the body. */
  readonly inputNames: readonly string[]
}

export function responsesOf(described: Described): JSONObject {
  const { returns, challenges, refer, headers } = described
  const sent = Object.keys(headers).length > 0 && { headers: headersOf(headers) }
  const page = described.declaration.mayReturnPage && { 'text/html': { schema: { type: 'string' } } }
  const success = returns && {
    description: 'Success',
    ...sent,
    content: {
      ...withChallenges(
        jsonContent(returns, refer, { requiredOnly: false }),
        challenges.map((schema) => refer({ ...schema })),
      ),
      ...page,
    },
  }
  return { ...(success && { '200': success }), ...redirectsOf(described), ...errorResponses(described) }
}

function withChallenges(content: JSONContent, challenges: readonly JSONObject[]): JSONContent {
  const { schema, ...rest } = content['application/json']
  return challenges.length === 0 ? content : { 'application/json': { schema: { anyOf: [schema, ...challenges] }, ...rest } }
}

interface JSONContent extends JSONObject {
  readonly 'application/json': JSONObject
}

export function jsonContent(
  schema: JSONSchema,
  refer: Described['refer'],
  options: { readonly requiredOnly: boolean },
): JSONContent {
  const example = exampleOf(schema, options)
  return { 'application/json': { schema: refer({ ...schema }), ...(example !== undefined && { example }) } }
}

const headersOf = (headers: Readonly<Record<string, string>>): JSONObject =>
  Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]))

const location = { location: 'Where the browser continues' }

/** A form that a provider posts leads to a page that is fetched with GET: 303. */
function redirectsOf({ declaration: { redirects = [], callback }, method, returns, headers }: Described): JSONObject {
  if (returns && redirects.length === 0 && callback === undefined) return {}
  const codes = [...new Set(redirects)].map((code) => `\`${code}\``).join(', ')
  const failure = codes && ` After a failure, the parameter \`error\` is one of: ${codes}.`
  const response = { description: `Redirects the browser.${failure}`, headers: headersOf({ ...location, ...headers }) }
  return { '302': response, ...(method === 'POST' && { '303': response }) }
}

/** The standard error responses of contract 06 §5, and that of an outage. */
const standardErrors: readonly ErrorEntry[] = [
  errors.VALIDATION_ERROR,
  errors.UNAUTHORIZED,
  errors.FORBIDDEN,
  errors.NOT_FOUND,
  errors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER,
  errors.INTERNAL_SERVER_ERROR,
  errors.SERVICE_UNAVAILABLE,
]
const ofBody = [errors.PAYLOAD_TOO_LARGE, errors.INVALID_ORIGIN, errors.MISSING_OR_NULL_ORIGIN]
const ofTargets: Readonly<Record<string, ErrorEntry>> = {
  callbackURL: errors.INVALID_CALLBACKURL,
  redirectTo: errors.INVALID_REDIRECTURL,
  errorCallbackURL: errors.INVALID_ERRORCALLBACKURL,
  newUserCallbackURL: errors.INVALID_NEWUSERCALLBACKURL,
}

/** The errors of `core/errors.ts` that a call may respond with, by what it declares. */
function commonErrors(described: Described): ErrorEntry[] {
  const { declaration, method, inputNames } = described
  const { access, origin } = declaration
  const isChecked = method === 'POST' && origin !== 'cross-site'
  return [
    ...standardErrors,
    errors.INVALID_HOST,
    ...(method === 'POST' ? ofBody.filter(({ status }) => isChecked || status !== 403) : []),
    ...Object.entries(ofTargets).flatMap(([name, entry]) => (inputNames.includes(name) ? [entry] : [])),
    ...(access.kind === 'session' ? [access.refusal] : []),
    ...('requiresFresh' in access ? ofSession(access, described) : []),
  ]
}

/** Of users who have a second factor. */
export const demandsStepUp = ({ twoFactor }: Config, { stepUp }: Route['declaration']): boolean =>
  stepUp !== undefined && twoFactor.enabled && twoFactor.stepUp.enabled

function ofSession(
  access: Extract<Access, { readonly requiresFresh: unknown }>,
  { declaration, config, method, inputNames }: Described,
): ErrorEntry[] {
  const mayBeExport = inputNames.includes('limit') && freshnessOf(access, { limit: Number.POSITIVE_INFINITY })(config)
  return [
    ...(access.requiresFresh(config) || mayBeExport || demandsStepUp(config, declaration) ? [errors.SESSION_IS_NOT_FRESH] : []),
    ...(rejectsImpersonators(method, declaration) ? [errors.NOT_ALLOWED_WHILE_IMPERSONATING_A_USER] : []),
  ]
}

function errorResponses(described: Described): JSONObject {
  const byStatus = new Map<number, Map<string, ErrorEntry>>()
  for (const entry of [...commonErrors(described), ...described.errors])
    byStatus.set(entry.status, (byStatus.get(entry.status) ?? new Map()).set(entry.code, entry))
  const responses = [...byStatus].map(([status, entries]) => {
    const name = nameOf([...entries.values()])
    return [String(status), name ? { $ref: `#/components/responses/${name}` } : errorResponse([...entries.values()])]
  })
  return Object.fromEntries(responses)
}

/** Responses that several calls share, by their entries. */
const shared: Readonly<Record<string, readonly ErrorEntry[]>> = {
  BadRequest: [errors.VALIDATION_ERROR],
  Unauthorized: [errors.UNAUTHORIZED],
  Forbidden: [errors.FORBIDDEN, errors.INVALID_HOST],
  ForbiddenOrigin: [errors.FORBIDDEN, errors.INVALID_HOST, errors.INVALID_ORIGIN, errors.MISSING_OR_NULL_ORIGIN],
  NotFound: [errors.NOT_FOUND],
  PayloadTooLarge: [errors.PAYLOAD_TOO_LARGE],
  TooManyRequests: [errors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER],
  InternalServerError: [errors.INTERNAL_SERVER_ERROR],
  ServiceUnavailable: [errors.SERVICE_UNAVAILABLE],
}

const nameOf = (entries: readonly ErrorEntry[]): string | undefined =>
  Object.keys(shared).find((name) => isDeepStrictEqual(shared[name], entries))

/** The responses that calls refer to. */
export const sharedResponses = (): JSONObject =>
  Object.fromEntries(Object.entries(shared).map(([name, entries]) => [name, errorResponse(entries)]))

const wait = { 'retry-after': 'Seconds until the next attempt may succeed' }
const errorHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  429: { ...wait, 'x-retry-after': wait['retry-after'] },
  503: wait,
}

function errorResponse(entries: readonly ErrorEntry[]): JSONObject {
  const headers = errorHeaders[entries[0]?.status ?? 0]
  return {
    description: entries.map(({ message }) => message).join(' · '),
    ...(headers && { headers: headersOf(headers) }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(entries.map(({ code, message }) => [code, { value: { code, message } }])),
      },
    },
  }
}

export const errorSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'What went wrong, for programs' },
    message: { type: 'string', description: 'What went wrong, in English' },
  },
  required: ['code', 'message'],
}
