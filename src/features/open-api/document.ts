import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { apiURL } from '../../core/base-url.ts'
import { type ErrorEntry, errors } from '../../core/errors.ts'
import type { NamedFeature } from '../../core/feature.ts'
import { mergeTables } from '../../core/merged-tables.ts'
import { type AnyRoute, resolveSchema } from '../../core/route.ts'
import { viewOf } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { version } from '../../core/version.ts'
import type { Config } from '../index.ts'

type Describing = Pick<App, 'config' | 'features'>
type JSONObject = Record<string, unknown>

/** The OpenAPI 3.1 document of the enabled features (contract 06 §5). */
export function openAPIDocument({ config, features }: Describing): JSONObject {
  const tables = mergeTables(features)
  const shown = features.filter((feature) => documentedRoutes(feature, config).length > 0)
  return {
    openapi: '3.1.1',
    info: { title: config.appName, description: `Accounts, sessions and organizations of ${config.appName}.`, version },
    servers: [{ url: apiURL(config) }],
    security: [{ apiKeyCookie: [], bearerAuth: [] }],
    tags: [...new Set(shown.map(tagOf))].map((name) => ({
      name,
      description: name === 'Default' ? 'Accounts and sessions' : `Calls of the feature ${name}`,
    })),
    paths: pathsOf(shown, config, tables),
    components: {
      schemas: { ...Object.fromEntries(Object.entries(tables).map(tableSchema)), Error: errorSchema },
      securitySchemes: {
        apiKeyCookie: { type: 'apiKey', in: 'cookie', name: `${config.advanced.cookiePrefix}.session_token` },
        bearerAuth: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

const documentedRoutes = (feature: NamedFeature, config: Config) =>
  Object.entries(feature.routes ?? {}).filter(
    ([key, { declaration }]) => !declaration.undocumented && !config.disabledPaths.includes(key.slice(key.indexOf(' ') + 1)),
  )

/** Calls that the reference has in its core are tagged Default, those of its plugins by the plugin. */
const tagOf = (feature: NamedFeature) =>
  feature.enabled ? feature.name.charAt(0).toUpperCase() + feature.name.slice(1) : 'Default'

function pathsOf(features: readonly NamedFeature[], config: Config, tables: Tables) {
  const paths: Record<string, JSONObject> = {}
  const keys = new Set(features.flatMap((feature) => documentedRoutes(feature, config).map(([key]) => key)))
  for (const feature of features) {
    for (const [key, route] of documentedRoutes(feature, config)) {
      const [method = '', path = ''] = key.split(' ')
      const template = path.replaceAll(/:(\w+)/g, '{$1}')
      const described = { operationId: operationId(key, keys), ...operation(route, tagOf(feature), config, tables) }
      paths[template] = { ...paths[template], [method.toLowerCase()]: described }
    }
  }
  return paths
}

function operation({ declaration }: AnyRoute, tag: string, config: Config, tables: Tables): JSONObject {
  const schemaOf = (schema: Parameters<typeof resolveSchema>[0], io: 'input' | 'output') => {
    const resolved = resolveSchema(schema, config, tables)
    return resolved && jsonSchema(resolved, io)
  }
  const body = schemaOf(declaration.body, 'input')
  const parameters = [
    ...parametersOf(schemaOf(declaration.query, 'input'), 'query'),
    ...parametersOf(schemaOf(declaration.params, 'input'), 'path'),
  ]
  return {
    tags: [tag],
    summary: declaration.summary,
    description: describeOperation(declaration),
    security: [{ bearerAuth: [] }],
    parameters,
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      '200': { description: 'Success', content: { 'application/json': { schema: schemaOf(declaration.returns, 'output') } } },
      ...errorResponses(declaration.errors ?? []),
    },
  }
}

function describeOperation({ summary, access, rateLimit }: AnyRoute['declaration']): string {
  const needs = { public: '', optional: '', session: ' Needs a session.', 'fresh-session': ' Needs a fresh session.' }[access]
  return `${summary}.${needs}${rateLimit ? ` At most ${rateLimit.max} calls in ${rateLimit.window} seconds from one address.` : ''}`
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

/** The standard answers of contract 06 §5, with the texts that this call may give. */
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
