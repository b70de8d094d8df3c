/** One call as an operation of the document. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { writesCookies } from '../../core/cookies.ts'
import type { CallDescription } from '../../core/feature.ts'
import { type Access, needsSession, optionalSession, type PendingSignIn } from '../../core/permissions.ts'
import { challengesOf, type Route, rateLimitOf, resolveSchema, signUpErrorsOf, withAdded } from '../../core/route.ts'
import type { Tables } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { type Components, type JSONObject, jsonSchema } from './components.ts'
import { exampleOf, type JSONSchema } from './examples.ts'
import { demandsStepUp, jsonContent, responsesOf } from './responses.ts'

/** What an operation depends on in addition to its own declaration. */
export interface Describing extends Pick<App, 'config' | 'features'> {
  readonly tables: Tables
  readonly components: Components
  /** Names of the security schemes that calls accept. */
  readonly schemes: readonly string[]
}

/** @param key `'METHOD /path'` */
export function operation(app: Describing, key: string, declaration: Route['declaration']): JSONObject {
  const { config, features, tables, components } = app
  const resolve = (schema: Parameters<typeof resolveSchema>[0]) => resolveSchema(schema, config, tables, features)
  const schemaOf = (schema: z.ZodType | undefined, io: 'input' | 'output') => schema && jsonSchema(schema, io)
  const [bodySchema, declared] = [resolve(declaration.body), resolve(declaration.returns)]
  const returns = declared && withAdded(declared, declaration, app)
  const challenges = challengesOf(app, declaration)
  const [query, body] = [schemaOf(resolve(declaration.query), 'input'), schemaOf(bodySchema, 'input')]
  const writes = declaration.access.kind === 'public' && !declaration.signsIn ? {} : writesCookies
  const added = features.flatMap(({ describe }) => describe?.(config, key, declaration) ?? [])
  return {
    summary: declaration.summary,
    description: describeOperation(config, declaration),
    ...(declaration.deprecated && { deprecated: true }),
    security: securityOf(config, declaration, app.schemes),
    parameters: [
      ...parametersOf(query, 'query', components),
      ...parametersOf(schemaOf(resolve(declaration.params), 'input'), 'path', components),
      ...added.flatMap(headerParameters),
    ],
    ...(body && { requestBody: requestBody(body, declaration, !bodySchema?.safeParse(undefined).success, components) }),
    responses: responsesOf({
      declaration,
      config,
      method: key.split(' ', 1).join(),
      returns: returns instanceof z.ZodNever ? undefined : schemaOf(returns, 'output'),
      challenges: challenges.flatMap(({ returns: body }) => (body ? [jsonSchema(body, 'output')] : [])),
      refer: components.refer,
      headers: Object.assign({}, writes, declaration.responseHeaders, ...added.map(({ responseHeaders }) => responseHeaders)),
      errors: [
        ...(declaration.errors ?? []),
        ...signUpErrorsOf(declaration),
        ...features.flatMap(({ rejections }) => rejections?.[key] ?? []),
        ...challenges.flatMap(({ errors = [] }) => errors),
        ...added.flatMap(({ errors = [] }) => errors),
      ],
      inputNames: [query, body].flatMap((schema) => Object.keys(schema?.properties ?? {})),
    }),
  }
}

/** A page of another site can only send a form. */
function requestBody(schema: JSONSchema, { origin }: Route['declaration'], required: boolean, { refer }: Components): JSONObject {
  const content = jsonContent(schema, refer, { requiredOnly: true })
  const isForm = origin === 'cross-site'
  return { required, content: isForm ? { 'application/x-www-form-urlencoded': content['application/json'] } : content }
}

function describeOperation(config: Config, declaration: Route['declaration']): string {
  const { summary, description, access, usesCredential, acceptsPending = [] } = declaration
  const rateLimit = rateLimitOf(declaration, config)
  const isByInput = declaration.stepUp === 'by-input'
  const stepUp = demandsStepUp(config, declaration)
    ? ` ${isByInput ? 'To change how they sign in, a' : 'A'} user who has a second factor must have proven it within ${config.twoFactor.stepUp.maxAge} seconds.`
    : ''
  const isPossible = (kind: PendingSignIn) => (kind === 'terms' ? config.terms.enabled : config.twoFactor.enabled)
  const waits = acceptsPending
    .filter(isPossible)
    .map((kind) => pendingSignIns[kind])
    .join(', or ')
  const pending = waits && ` Also for a sign-in that waits ${waits}.`
  const limit = rateLimit && `**Rate limit:** ${rateLimit.max} requests per IP address in ${rateLimit.window} seconds.`
  return [
    description ?? `${summary}.`,
    `**Access:** ${describeAccess(config, usesCredential ? optionalSession() : access)}${pending}${stepUp}`,
    limit,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** What it waits for. */
const pendingSignIns: Readonly<Record<PendingSignIn, string>> = {
  verify: 'for its second factor',
  setup: 'until a second factor is set up',
  terms: 'until terms are accepted',
}

function describeAccess(config: Config, access: Access): string {
  if (access.kind === 'public') return 'public.'
  if (access.kind === 'server') return 'server only.'
  const isFresh = access.requiresFresh(config)
  const fresh = 'the user has signed in within `session.freshAge`'
  if (access.kind === 'optional-session')
    return `public; a session is used when there is one${isFresh ? `, and must be fresh: ${fresh}` : ''}.`
  const permissions = Object.entries(access.permissions ?? {}).map(([resource, required]) => {
    const [actions, separator] =
      'actions' in required ? [required.actions, required.connector === 'OR' ? ' or ' : ', '] : [required, ', ']
    return `\`${resource}\`: ${actions.join(separator)}`
  })
  const session = isFresh ? `a fresh session: ${fresh}` : 'a session'
  return `requires ${session}${permissions.length > 0 ? ` and the permissions ${permissions.join('; ')}` : ''}.`
}

/** One of the schemes is enough; an empty entry means that none is needed. */
function securityOf(config: Config, declaration: Route['declaration'], schemes: readonly string[]): JSONObject[] {
  const { access, usesCredential } = declaration
  const names = needsSession(config, declaration) ? schemes.filter((name) => name !== 'apiKey') : schemes
  const accepted = names.map((name) => ({ [name]: [] }))
  if (access.kind === 'session') return accepted
  return access.kind === 'optional-session' || usesCredential ? [{}, ...accepted] : []
}

function parametersOf(schema: JSONSchema | undefined, place: 'query' | 'path', { refer }: Components): JSONObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, { description, ...property }]) => {
    const required = place === 'path' || (schema?.required ?? []).includes(name)
    // Tools send the examples of a form, and an optional filter would leave nothing to return.
    const example = required ? exampleOf(property, { requiredOnly: true }, name) : undefined
    return {
      name,
      in: place,
      required,
      ...(description !== undefined && { description }),
      schema: refer(property),
      ...(example !== undefined && example !== 'text' && { example }),
    }
  })
}

const headerParameters = ({ requestHeaders = {} }: CallDescription): JSONObject[] =>
  Object.entries(requestHeaders).map(([name, { description, required }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  }))
