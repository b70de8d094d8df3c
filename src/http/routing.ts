/** Finds the route of a call. Everything that the configuration decides about a route is resolved at start. */
import type { z } from 'zod'
import type { App } from '../core/app.ts'
import type { Feature } from '../core/feature.ts'
import type { RateLimitRule } from '../core/ports.ts'
import { challengesOf, type Route, rateLimitOf, resolveSchema, signUpErrorsOf, withAdded } from '../core/route.ts'
import { mergeTables } from '../core/table.ts'

/** A route with everything that the configuration decides about it. */
export interface MountedRoute {
  readonly method: string
  /** The declared path with its `:name` parts; limits and metrics count by it. */
  readonly pattern: string
  readonly declaration: Route['declaration']
  readonly query: z.ZodType | undefined
  readonly body: z.ZodType | undefined
  readonly params: z.ZodType | undefined
  readonly returns: z.ZodType
  readonly rateLimit: RateLimitRule | undefined
  /** The steps of the features, in list order: those for every call and those for this one. */
  readonly before: readonly NonNullable<Feature['before']>[string][]
  readonly after: readonly NonNullable<Feature['after']>[string][]
}

export interface MatchedRoute {
  readonly route: MountedRoute
  /** Values of the `:name` parts, decoded. */
  readonly params: Readonly<Record<string, string>>
}

type FindRoute = (method: string, path: string) => MatchedRoute | null

const noParams = Object.freeze({})

/**
 * @param options.isPrivileged only the calls with `access: server()` or `alsoPrivileged`; else every call but the former
 * @throws Error when two features declare the same call
 */
export function createRouting(
  app: Pick<App, 'config' | 'features'>,
  { isPrivileged = false }: { readonly isPrivileged?: boolean } = {},
): FindRoute {
  const fixed = new Map<string, MatchedRoute>()
  const patterns: { readonly route: MountedRoute; readonly match: (path: string) => Record<string, string> | null }[] = []
  for (const [key, route] of mountRoutes(app)) {
    if (fixed.has(key)) throw new Error(`${key} is declared twice`)
    const { access, alsoPrivileged = false } = route.declaration
    if (access.kind === 'server' ? !isPrivileged : isPrivileged && !alsoPrivileged) continue
    if (route.pattern.includes(':')) patterns.push({ route, match: pathMatcher(route.pattern) })
    else fixed.set(key, { route, params: noParams })
  }
  return (method, path) => {
    const found = fixed.get(`${method} ${path}`)
    if (found) return found
    for (const { route, match } of patterns) {
      const params = route.method === method ? match(path) : null
      if (params) return { route, params }
    }
    return null
  }
}

/** All calls of the enabled features, by key. */
export function mountRoutes({ config, features }: Pick<App, 'config' | 'features'>): [string, MountedRoute][] {
  const tables = mergeTables(features)
  const resolve = (schema: Parameters<typeof resolveSchema>[0]) => resolveSchema(schema, config, tables, features)
  const declared = features.flatMap((feature) => Object.entries(feature.routes ?? {}))
  return declared
    .filter(([, { declaration }]) => declaration.exists?.(config) ?? true)
    .map(([key, { declaration }]): [string, MountedRoute] => {
      const [method = '', pattern = ''] = key.split(' ')
      const returns = resolve(declaration.returns)
      if (!returns) throw new Error(`${key} has no response schema`)
      const route = {
        method,
        pattern,
        declaration: withRejections(declaration, { config, features }, key),
        query: resolve(declaration.query),
        body: resolve(declaration.body),
        params: resolve(declaration.params),
        returns: withAdded(returns, declaration, { config, features }),
        rateLimit: rateLimitOf(declaration, config),
        before: ['*', key].flatMap((name) => features.flatMap(({ before }) => before?.[name] ?? [])),
        after: features.flatMap(({ after }) => stepsFor(after, key)),
      }
      return [key, route]
    })
}

type Enabled = Pick<App, 'config' | 'features'>

function withRejections(declaration: Route['declaration'], enabled: Enabled, key: string): Route['declaration'] {
  const rejected = enabled.features.flatMap(({ rejections }) => rejections?.[key] ?? [])
  const added = [
    ...rejected,
    ...signUpErrorsOf(declaration),
    ...challengesOf(enabled, declaration).flatMap(({ errors = [] }) => errors),
  ]
  return added.length > 0 ? { ...declaration, errors: [...(declaration.errors ?? []), ...added] } : declaration
}

const stepsFor = <S>(steps: Readonly<Record<string, S>> = {}, key: string): S[] =>
  Object.entries(steps).flatMap(([name, step]) => (name === '*' || name === key ? [step] : []))

function pathMatcher(pattern: string): (path: string) => Record<string, string> | null {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`)
  return (path) => {
    const matched = expression.exec(path)
    if (!matched) return null
    const values = matched.slice(1).map(decode)
    return values.includes(null) ? null : Object.fromEntries(names.map((name, position) => [name, values[position] ?? '']))
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
