import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { type ErrorEntry, errors } from '../../core/errors.ts'
import { areas } from '../../core/feature.ts'
import type { Access } from '../../core/permissions.ts'
import { apiURL, disabledPaths, type Route, resolveSchema } from '../../core/route.ts'
import { viewOf } from '../../core/schemas.ts'
import { mergeTables, type Tables } from '../../core/table.ts'
import { version } from '../../core/version.ts'
import type { Config } from '../index.ts'
import { exampleOf } from './examples.ts'

type Area = keyof typeof areas
type Describing = Pick<App, 'config' | 'features'>
type JSONObject = Record<string, unknown>

interface DocumentedRoute {
  /** `'METHOD /path'` */
  readonly key: string
  readonly area: Area
  /** Whether it stands in the area of its feature. */
  readonly isAtHome: boolean
  readonly declaration: Route['declaration']
}

/** The OpenAPI 3.1 document of the enabled features (contract 06 §5). */
export function openAPIDocument({ config, features }: Describing): JSONObject {
  const tables = mergeTables(features)
  const schemaOf: SchemaOf = (schema, io) => {
    const resolved = resolveSchema(schema, config, tables, features)
    return resolved && jsonSchema(resolved, io)
  }
  const documented = inReadingOrder(features.flatMap((feature) => documentedRoutes(feature, config)))
  return {
    openapi: '3.1.1',
    info: { title: config.appName, description: `Accounts, sessions and organizations of ${config.appName}.`, version },
    servers: [{ url: apiURL(config) }],
    security: [{ apiKeyCookie: [], bearerAuth: [] }],
    tags: tagsOf(documented),
    paths: pathsOf(documented, schemaOf),
    components: {
      schemas: { ...Object.fromEntries(Object.entries(tables).map(tableSchema)), Error: errorSchema },
      securitySchemes: {
        apiKeyCookie: { type: 'apiKey', in: 'cookie', name: cookieDefinition(config, 'session_token').name },
        bearerAuth: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function documentedRoutes(feature: App['features'][number], config: Config): DocumentedRoute[] {
  const disabled = disabledPaths(config)
  const isDocumented = ({ key, declaration }: DocumentedRoute) =>
    !declaration.undocumented && !disabled.has(key.slice(key.indexOf(' ') + 1))
  return Object.entries(feature.routes ?? {})
    .map(([key, { declaration }]) => {
      const area = declaration.area ?? feature.area ?? 'Diagnostics'
      return { key, declaration, area, isAtHome: area === feature.area }
    })
    .filter(isDocumented)
}

/** By area; in each the calls of its own features come first. */
function inReadingOrder(documented: readonly DocumentedRoute[]): DocumentedRoute[] {
  const order = Object.keys(areas)
  const position = ({ area, isAtHome }: DocumentedRoute) => order.indexOf(area) * 2 + (isAtHome ? 0 : 1)
  return documented.toSorted((a, b) => position(a) - position(b))
}

/** The wire contract tags calls of the core `Default` and those of a plugin with its id (06 §5); areas of ours come before that. */
const wireTag = 'Default'
const withoutWireTag: ReadonlySet<Area> = new Set(['Development', 'Open-api'])
const tagsOfArea = (area: Area): string[] => (withoutWireTag.has(area) ? [area] : [area, wireTag])

function tagsOf(documented: readonly DocumentedRoute[]): { name: string; description: string }[] {
  const used = new Set(documented.map(({ area }) => area))
  const tags = Object.entries(areas).map(([name, description]) => ({ name, description }))
  return [
    ...tags.filter(({ name }) => used.has(name as Area)),
    { name: wireTag, description: 'All calls that do not belong to a plugin.' },
  ]
}

type SchemaOf = (schema: Parameters<typeof resolveSchema>[0], io: 'input' | 'output') => JSONObject | undefined

function pathsOf(documented: readonly DocumentedRoute[], schemaOf: SchemaOf) {
  const paths: Record<string, JSONObject> = {}
  const keys = new Set(documented.map(({ key }) => key))
  for (const documentedRoute of documented) {
    const [method = '', path = ''] = documentedRoute.key.split(' ')
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    const described = { operationId: operationId(documentedRoute.key, keys), ...operation(documentedRoute, schemaOf) }
    paths[template] = { ...paths[template], [method.toLowerCase()]: described }
  }
  return paths
}

function operation({ area, declaration }: DocumentedRoute, schemaOf: SchemaOf): JSONObject {
  const body = schemaOf(declaration.body, 'input')
  const parameters = [
    ...parametersOf(schemaOf(declaration.query, 'input'), 'query'),
    ...parametersOf(schemaOf(declaration.params, 'input'), 'path'),
  ]
  return {
    tags: tagsOfArea(area),
    summary: declaration.summary,
    description: describeOperation(declaration),
    ...(declaration.deprecated && { deprecated: true }),
    security: [{ bearerAuth: [] }],
    parameters,
    ...(body && { requestBody: { required: true, content: jsonContent(body, { requiredOnly: true }) } }),
    responses: {
      '200': {
        description: 'Success',
        content: jsonContent(schemaOf(declaration.returns, 'output') ?? {}, { requiredOnly: false }),
      },
      ...errorResponses(declaration.errors ?? []),
    },
  }
}

function jsonContent(schema: JSONObject, options: { readonly requiredOnly: boolean }): JSONObject {
  const example = exampleOf(schema, options)
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

function describeOperation({ summary, description, access, rateLimit }: Route['declaration']): string {
  const limit = rateLimit && `**Rate limit:** ${rateLimit.max} requests per IP address in ${rateLimit.window} seconds.`
  return [description ?? `${summary}.`, `**Access:** ${describeAccess(access)}`, limit].filter(Boolean).join('\n\n')
}

function describeAccess(access: Access): string {
  if (access.kind === 'public') return 'public.'
  if (access.kind === 'optional-session') return 'public; a session is used when there is one.'
  if (access.kind === 'server') return 'server only.'
  const permissions = Object.entries(access.permissions ?? {}).map(([resource, required]) => {
    const [actions, separator] =
      'actions' in required ? [required.actions, required.connector === 'OR' ? ' or ' : ', '] : [required, ', ']
    return `\`${resource}\`: ${actions.join(separator)}`
  })
  const session = access.isFresh ? 'a fresh session: the user has signed in within `session.freshAge`' : 'a session'
  return `requires ${session}${permissions.length > 0 ? ` and the permissions ${permissions.join('; ')}` : ''}.`
}

/** From the path, which is enough unless two calls share it. */
const operationId = (key: string, keys: ReadonlySet<string>) =>
  key
    .slice(key.indexOf(' ') + 1)
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .map((word, position) => (position === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('') + (key.startsWith('GET ') && keys.has(key.replace('GET ', 'POST ')) ? 'Get' : '')

function parametersOf(schema: JSONObject | undefined, place: 'query' | 'path'): JSONObject[] {
  const properties = (schema?.properties ?? {}) as Record<string, JSONObject>
  const required = (schema?.required ?? []) as string[]
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

/** The standard error responses of contract 06 §5, and those that this call declares. */
function errorResponses(own: readonly ErrorEntry[]): JSONObject {
  const standard = [
    errors.VALIDATION_ERROR,
    errors.UNAUTHORIZED,
    errors.FORBIDDEN,
    errors.NOT_FOUND,
    errors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER,
    errors.INTERNAL_SERVER_ERROR,
  ]
  const byStatus = new Map<number, ErrorEntry[]>()
  for (const entry of [...standard, ...own]) byStatus.set(entry.status, [...(byStatus.get(entry.status) ?? []), entry])
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => [
      String(status),
      {
        description: entries.map(({ message }) => message).join(' · '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(entries.map(({ code, message }) => [code, { value: { code, message } }])),
          },
        },
      },
    ]),
  )
}

const errorSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
}

const tableSchema = ([name, columns]: [string, Tables[string]]) => [
  name.charAt(0).toUpperCase() + name.slice(1),
  jsonSchema(viewOf(columns), 'output'),
]

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JSONObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
