/** From what somebody wrote to a complete, checked and frozen configuration, or a list of faults. */
import leven from 'leven'
import type { z } from 'zod'
import type { Config } from '../features/index.ts'
import { type ConfigFault, type ConfigShape, configSchema, mergeShapes } from './config.ts'
import { checkCoreConfig } from './config-checks.ts'
import { coreConfig } from './config-sections.ts'
import { enabledFeatures, type Feature } from './feature.ts'

/** Options of the reference that are spelled otherwise here. */
const elsewhere: Readonly<Record<string, string>> = {
  plugins: 'Features are sections here: write `organization: true` instead of a plugin.',
  secondaryStorage: 'Write `redis: { url: … }`.',
  adapter: 'Write `database: { url: … }`.',
  logger: 'Write `log: { level: … }`.',
  telemetry: 'There is none.',
  generateId: 'Write `advanced: { database: { generateId } }`.',
  useNumberId: 'Ids are texts; `generateId` may make others than ours.',
  defaultFindManyLimit: 'No list ends silently.',
  storeSessionInDatabase: 'Sessions are always rows.',
  preserveSessionInDatabase: 'Sessions are always rows, and a revoked one is removed.',
}

/** The options of all features as one shape; also of those that are off, since their sections say so. */
export const configShape = (features: Readonly<Record<string, Feature>>): ConfigShape =>
  mergeShapes([coreConfig, ...Object.values(features).flatMap((feature) => (feature.config ? [feature.config] : []))])

/**
 * Checks types and ranges first, then the rules between options.
 * @param input the default export of `auth.config.ts`, completed from the environment
 */
export function parseConfig(
  features: Readonly<Record<string, Feature>>,
  input: unknown,
): { config: Config } | { faults: readonly ConfigFault[] } {
  const shape = configShape(features)
  const parsed = configSchema(shape).safeParse(input)
  if (!parsed.success) return { faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, shape)) }
  const config = freeze(parsed.data) as Config
  const enabled = enabledFeatures(features, config)
  const faults = [...checkCoreConfig(config), ...enabled.flatMap((feature) => feature.checkConfig?.(config, enabled) ?? [])]
  return faults.length > 0 ? { faults } : { config }
}

function faultsOf(issue: z.core.$ZodIssue, shape: ConfigShape): ConfigFault[] {
  const path = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [{ id: 'config-value', path: path || '(root)', message: issue.message }]
  const known = optionsAt(shape, issue.path.map(String))
  return issue.keys.map((key) => {
    const hint = hintFor(key, known)
    return {
      id: 'config-unknown-option',
      path: path ? `${path}.${key}` : key,
      message: 'There is no such option.',
      ...(hint ? { hint } : {}),
    }
  })
}

function hintFor(key: string, known: readonly string[]): string | undefined {
  const moved = elsewhere[key]
  if (moved) return moved
  const [nearest] = known.map((name) => ({ name, distance: leven(name, key) })).sort((a, b) => a.distance - b.distance)
  if (!nearest || nearest.distance > Math.max(2, key.length / 3)) return undefined
  return `Did you mean \`${nearest.name}\`?`
}

function optionsAt(shape: ConfigShape, path: readonly string[]): string[] {
  let current = shape
  for (const name of path) {
    const next = current[name]
    if (!next || !('kind' in next)) return []
    current = next.shape
  }
  return Object.keys(current)
}

/** Lists and plain objects only: what an installation brings along, such as a validator, may keep notes in itself. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
