/** The step from `auth.config.ts` to a validated and frozen configuration. */
import type { ConfigIssue, ConfigShape } from '../../core/config.ts'
import { coreConfig } from '../../core/core-config.ts'
import { enabledFeatures, type Feature } from '../../core/feature.ts'
import type { Config } from '../../features/index.ts'
import { isObject } from '../../lib/objects.ts'
import { checkCoreConfig } from './core-checks.ts'
import { issuesOf } from './issues.ts'
import { configSchema, mergeShapes } from './schema.ts'

/** The options of all features; also of disabled ones, since their sections disable them. */
export const configShape = (features: Readonly<Record<string, Feature>>): ConfigShape =>
  mergeShapes([coreConfig, ...Object.values(features).flatMap((feature) => (feature.config ? [feature.config] : []))])

/**
 * Builds the schema of the configuration once, for processes that read many: that takes ten times as long as reading one.
 * @returns `parseConfig` for these features
 */
export function configParser(features: Readonly<Record<string, Feature>>) {
  const shape = configShape(features)
  const schema = configSchema(shape)
  return (input: unknown): { config: Config } | { issues: readonly ConfigIssue[] } => {
    // Compiling the schema takes longer than parsing with it.
    const parsed = schema.safeParse(input, { jitless: true })
    if (!parsed.success) return { issues: parsed.error.issues.flatMap((issue) => issuesOf(issue, shape)) }
    const config = freeze(parsed.data) as Config
    const enabled = enabledFeatures(features, config)
    const issues = [
      ...checkCoreConfig(config, Object.values(features)),
      ...enabled.flatMap((feature) => feature.checkConfig?.(config, enabled) ?? []),
    ]
    return issues.length > 0 ? { issues } : { config }
  }
}

/**
 * Checks types and ranges first, then the rules between options.
 * @param input the default export of `auth.config.ts`, completed from the environment
 */
export const parseConfig = (features: Readonly<Record<string, Feature>>, input: unknown) => configParser(features)(input)

/** Freezes arrays and plain objects only: other objects, such as a validator, may have state of their own. */
function freeze<T>(value: T): T {
  if (!isObject(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
