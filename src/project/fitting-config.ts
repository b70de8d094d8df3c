/** The part of a configuration that a database serves, between the arrival of its migrations and `latchkey migrate up`. */
import { enabledFeatures } from '../core/feature.ts'
import type { Tables } from '../core/table.ts'
import { type Config, featureList } from '../features/index.ts'
import { findMissing, type MissingPart, type Schema } from '../migrate/index.ts'

/** The schema of the features that a configuration enables. */
export type DeclareSchema = (config: Config) => Schema

/**
 * The configuration without custom fields and optional features whose tables, columns, unique keys or foreign keys the database does
 * not have yet. A feature of which anything exists may have rows, such as bans: without it they would have no effect, so it is kept.
 * @returns the same object when nothing is missing that can be left out
 */
export function fitConfig(config: Config, live: Schema, declare: DeclareSchema): Config {
  let fitting = withoutMissingFields(config, live)
  for (;;) {
    const missing = findMissing(declare(fitting), live)
    const without = missing.map((part) => withoutFeature(fitting, part, live)).find((reduced) => reduced !== null)
    if (!without) return fitting
    fitting = without
  }
}

/** What `fitting` leaves out of `config`: `user.nickname`, `phoneNumber`. */
export function omittedParts(config: Config, fitting: Config): string[] {
  const fields = (['user', 'session'] as const).flatMap((table) =>
    Object.keys(config[table].additionalFields)
      .filter((name) => !(name in fitting[table].additionalFields))
      .map((name) => `${table}.${name}`),
  )
  const left = new Set(enabledFeatures(featureList, fitting).flatMap(({ name, tables }) => (tables ? [name] : [])))
  const features = enabledFeatures(featureList, config).flatMap(({ name, tables }) => (tables && !left.has(name) ? [name] : []))
  return [...features, ...fields]
}

function withoutMissingFields(config: Config, live: Schema): Config {
  const without = <Fields extends Config['user']['additionalFields']>(table: string, fields: Fields) =>
    Object.fromEntries(
      Object.entries(fields).filter(([name, field]) => live.tables[table]?.columns[field.fieldName ?? name] !== undefined),
    )
  const user = without('user', config.user.additionalFields)
  const session = without('session', config.session.additionalFields)
  const count = (fields: object) => Object.keys(fields).length
  const isWhole = count(user) === count(config.user.additionalFields) && count(session) === count(config.session.additionalFields)
  if (isWhole) return config
  return {
    ...config,
    user: { ...config.user, additionalFields: user },
    session: { ...config.session, additionalFields: session },
  }
}

/** Disables the optional feature that declares a part. @returns null when no feature that can be disabled does */
function withoutFeature(config: Config, { table, columns }: MissingPart, live: Schema): Config | null {
  for (const { enabled, tables = {}, config: options = {} } of enabledFeatures(featureList, config)) {
    const declared = tables[table]
    if (!enabled || !declared || !columns.every((column) => column in declared) || hasAny(live, tables)) continue
    const reduced = { ...config, ...Object.fromEntries(Object.keys(options).flatMap((name) => disabled(config, name))) }
    if (!enabled(reduced)) return reduced
  }
  return null
}

const hasAny = (live: Schema, tables: Tables): boolean =>
  Object.entries(tables).some(([table, columns]) => Object.keys(columns).some((name) => live.tables[table]?.columns[name]))

function disabled(config: Config, name: string): [string, object][] {
  const [, value] = Object.entries(config).find(([key]) => key === name) ?? []
  const isSection = typeof value === 'object' && value !== null && 'enabled' in value
  return isSection ? [[name, { ...value, enabled: false }]] : []
}
