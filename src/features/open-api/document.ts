import type { App } from '../../core/app.ts'
import { type Area, areas } from '../../core/areas.ts'
import { apiURL, disabledPaths, type Route } from '../../core/route.ts'
import { viewOf } from '../../core/schemas.ts'
import { mergeTables, type Tables } from '../../core/table.ts'
import { version } from '../../core/version.ts'
import type { Config } from '../index.ts'
import { createComponents, type JSONObject, jsonSchema } from './components.ts'
import { type Describing, operation } from './operation.ts'
import { errorSchema, sharedResponses } from './responses.ts'

interface DocumentedRoute {
  /** `'METHOD /path'` */
  readonly key: string
  readonly area: Area
  /** Whether it stands in the area of its feature. */
  readonly isAtHome: boolean
  /** Its tags: the area, and that of the wire contract. */
  readonly tags: readonly string[]
  readonly declaration: Route['declaration']
}

/** The OpenAPI 3.1 document of the enabled features (contract 06 §5). */
export function openAPIDocument({ config, features }: Pick<App, 'config' | 'features'>): JSONObject {
  const tables = mergeTables(features)
  const components = createComponents()
  const accepted = Object.assign({}, ...features.map(({ securitySchemes }) => securitySchemes?.(config)))
  const documented = inReadingOrder(features.flatMap((feature) => documentedRoutes(feature, config)))
  const paths = pathsOf({ config, features, tables, components, schemes: Object.keys(accepted) }, documented)
  return {
    openapi: '3.1.1',
    info: { title: config.appName, description: `Accounts, sessions and organizations of ${config.appName}.`, version },
    servers: [{ url: apiURL(config) }],
    security: [{ apiKeyCookie: [], bearerAuth: [] }],
    tags: tagsOf(documented),
    paths,
    components: {
      schemas: { ...Object.fromEntries(Object.entries(tables).map(tableSchema)), ...components.schemas, Error: errorSchema },
      responses: sharedResponses(),
      securitySchemes: { bearerAuth, ...accepted },
    },
  }
}

/** The wire contract always names it; calls name it when a feature accepts it. */
const bearerAuth = { type: 'http', scheme: 'bearer', description: 'The token of a session; needs the section `bearer`' }

function documentedRoutes(feature: App['features'][number], config: Config): DocumentedRoute[] {
  const disabled = disabledPaths(config)
  const isDocumented = ({ key, declaration }: DocumentedRoute) =>
    !declaration.undocumented &&
    declaration.access.kind !== 'server' &&
    (declaration.exists?.(config) ?? true) &&
    !disabled.has(key.slice(key.indexOf(' ') + 1))
  return Object.entries(feature.routes ?? {})
    .map(([key, { declaration }]) => {
      const area = declaration.area ?? feature.area ?? 'Diagnostics'
      const tags = [...new Set([area, wireTag(declaration.plugin ?? feature.plugin)])]
      return { key, declaration, area, isAtHome: area === feature.area, tags }
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
const wireTag = (plugin: string | undefined): string => (plugin ? capitalized(plugin) : 'Default')

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function tagsOf(documented: readonly DocumentedRoute[]): { name: string; description: string }[] {
  const used = new Set(documented.flatMap(({ tags }) => tags))
  const ofAreas = Object.entries(areas).map(([name, description]) => ({ name, description }))
  const others = [...used].filter((name) => !Object.hasOwn(areas, name)).sort()
  return [
    ...ofAreas.filter(({ name }) => used.has(name)),
    ...others.map((name) => ({
      name,
      description:
        name === 'Default' ? 'All calls that do not belong to a plugin.' : `The calls of the plugin \`${name.toLowerCase()}\`.`,
    })),
  ]
}

function pathsOf(app: Describing, documented: readonly DocumentedRoute[]): JSONObject {
  const paths: Record<string, JSONObject> = {}
  const keys = new Set(documented.map(({ key }) => key))
  for (const { key, tags, declaration } of documented) {
    const [method = '', path = ''] = key.split(' ')
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    const described = { operationId: operationId(key, keys), tags, ...operation(app, key, declaration) }
    paths[template] = { ...paths[template], [method.toLowerCase()]: described }
  }
  return paths
}

/** From the path, which is enough unless two calls share it. */
const operationId = (key: string, keys: ReadonlySet<string>) =>
  key
    .slice(key.indexOf(' ') + 1)
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .map((word, position) => (position === 0 ? word : capitalized(word)))
    .join('') + (key.startsWith('GET ') && keys.has(key.replace('GET ', 'POST ')) ? 'Get' : '')

const tableSchema = ([name, columns]: [string, Tables[string]]) => [capitalized(name), jsonSchema(viewOf(columns), 'output')]
