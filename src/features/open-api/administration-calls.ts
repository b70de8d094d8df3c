/** The calls of administrators that an API key may make, from the route declarations, for programs that call them by name. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { needsSession } from '../../core/permissions.ts'
import { disabledPaths, type Route, resolveSchema } from '../../core/route.ts'
import { mergeTables } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { type JSONObject, jsonSchema } from './components.ts'

/** One call of the administration API. */
export interface AdministrationCall {
  /** From the path, such as `list_users`. */
  readonly name: string
  readonly title: string
  /** What it does, and the permissions that it requires. */
  readonly description: string
  readonly method: string
  /** Below the base path, such as `/admin/list-users`. */
  readonly path: string
  /** Changes nothing. */
  readonly isRead: boolean
  /** JSON Schema of the query of a GET, or of the body of a POST. */
  readonly inputSchema: JSONObject
}

/** @returns the calls that require permissions and accept an API key, under this configuration */
export function administrationCalls({ config, features }: Pick<App, 'config' | 'features'>): AdministrationCall[] {
  const tables = mergeTables(features)
  const disabled = disabledPaths(config)
  const routes = features.flatMap(({ routes = {} }) => Object.entries<Route>(routes))
  return routes.flatMap(([key, { declaration }]) => {
    const [method = '', path = ''] = key.split(' ')
    if (!acceptsKeys(config, declaration) || disabled.has(path)) return []
    const input = method === 'GET' ? declaration.query : declaration.body
    const schema = resolveSchema(input, config, tables, features)
    const isRead = method === 'GET' || declaration.isRead === true
    return [
      {
        name: nameOf(path),
        title: declaration.summary,
        description: describe(declaration),
        method,
        path,
        isRead,
        ...inputOf(schema),
      },
    ]
  })
}

function acceptsKeys(config: Config, declaration: Route['declaration']): boolean {
  const { access, undocumented, params, exists } = declaration
  const isAdministrative = access.kind === 'session' && access.permissions !== undefined
  return isAdministrative && !undocumented && !params && !needsSession(config, declaration) && (exists?.(config) ?? true)
}

const nameOf = (path: string): string => path.replace(/^\/(admin\/)?/, '').replaceAll(/[^a-z0-9]+/g, '_')

function describe({ summary, description = `${summary}.`, access }: Route['declaration']): string {
  const required = access.kind === 'session' ? Object.entries(access.permissions ?? {}) : []
  const permissions = required.map(([resource, actions]) => {
    const names = 'actions' in actions ? actions.actions : actions
    return `${resource}:${names.join(',')}`
  })
  return `${description} Requires the permissions ${permissions.join(' ')}.`
}

/** Tools take an object, also if the call takes nothing, or one of several objects. */
function inputOf(schema: z.ZodType | undefined): { readonly inputSchema: JSONObject } {
  const converted = jsonSchema(schema ?? z.object({}), 'input')
  return { inputSchema: { ...converted, type: 'object' } }
}
