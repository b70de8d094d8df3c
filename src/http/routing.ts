/** From the declarations of the enabled features to one look-up per call; what can be decided at start is decided here. */
import type { z } from 'zod'
import type { App } from '../core/app.ts'
import { mergeTables } from '../core/merged-tables.ts'
import type { RateLimitRule } from '../core/ports.ts'
import { type AnyRoute, resolveSchema } from '../core/route.ts'

/** A route with everything that the configuration decides about it. */
export interface MountedRoute {
  readonly method: string
  /** As declared, with `:name` parts: what limits and metrics count by. */
  readonly pattern: string
  readonly declaration: AnyRoute['declaration']
  readonly query: z.ZodType | undefined
  readonly body: z.ZodType | undefined
  readonly params: z.ZodType | undefined
  readonly returns: z.ZodType
  readonly rateLimit: RateLimitRule | undefined
}

export interface MatchedRoute {
  readonly route: MountedRoute
  /** Values of the `:name` parts, decoded. */
  readonly params: Readonly<Record<string, string>>
}

export type FindRoute = (method: string, path: string) => MatchedRoute | null

const noParams = Object.freeze({})

/** @throws Error when two features declare the same call */
export function createRouting(app: Pick<App, 'config' | 'features'>): FindRoute {
  const fixed = new Map<string, MatchedRoute>()
  const patterns: { readonly route: MountedRoute; readonly match: (path: string) => Record<string, string> | null }[] = []
  for (const [key, route] of mountRoutes(app)) {
    if (fixed.has(key)) throw new Error(`${key} is declared twice`)
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
  const declared = features.flatMap((feature) => Object.entries(feature.routes ?? {}))
  return declared
    .filter(([, { declaration }]) => declaration.exists?.(config) ?? true)
    .map(([key, { declaration }]): [string, MountedRoute] => {
      const [method = '', pattern = ''] = key.split(' ')
      const returns = resolveSchema(declaration.returns, config, tables)
      if (!returns) throw new Error(`${key} does not say what it returns`)
      return [
        key,
        {
          method,
          pattern,
          declaration,
          query: resolveSchema(declaration.query, config, tables),
          body: resolveSchema(declaration.body, config, tables),
          params: resolveSchema(declaration.params, config, tables),
          returns,
          rateLimit: declaration.rateLimit,
        },
      ]
    })
}

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
