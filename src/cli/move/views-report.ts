/** `--views`: SQL for code of the application that reads the tables of better-auth. */
import { resolve } from 'node:path'
import type { Config } from '../../features/index.ts'
import type { View } from '../../features/move/index.ts'
import { type ExitCode, exitCodes, usageError } from '../../project/failure.ts'
import type { MoveCommandContext } from './from-better-auth.ts'
import { type Target, withNames } from './same-schema.ts'
import type { OpenedSource } from './source-options.ts'

/** @throws Failure USAGE, CONFIG_INVALID: the views have the columns of the configuration */
export async function printViews(
  { options, output, loadConfig }: MoveCommandContext,
  { source, recognized, url }: OpenedSource,
  target: Target | null,
): Promise<ExitCode> {
  const { sourceName } = await import('./apply-move.ts')
  const { createViews } = await import('../../features/move/index.ts')
  const { databaseFile } = await import('../../project/environment.ts')
  const { config, directory } = await loadConfig()
  const place = config.database.url ?? ''
  const { product } = source
  if (product === 'postgres' || !place.startsWith(`${product}:`))
    throw usageError(`--views: code that reads ${product} cannot read the database of the configuration`)
  const own = await tablesOf(config)
  const from = product === 'sqlite' ? 'latchkey' : (URL.parse(place)?.pathname.slice(1) ?? '')
  const choices = { zone: options.sourceTimeZone, ids: options.ids ?? 'text', generation: recognized.generation }
  const views = createViews({ tables: formerNames(recognized, target), own, product, from, ...choices })
  const isSame = target !== null || sourceName(place) === sourceName(url)
  const isTaken = ({ name }: View) => product === 'mysql' && isSame && own[name] !== undefined
  const shown = views.map((view) =>
    isTaken(view) ? { ...view, statement: null, reason: 'a table of Latchkey has this name' } : view,
  )
  const file = product === 'sqlite' ? resolve(directory, databaseFile(place) ?? '') : null
  const attach = file === null ? [] : [`attach database '${file.replaceAll("'", "''")}' as latchkey`]
  const statements = [...attach, ...shown.flatMap(({ statement }) => statement ?? [])]
  const lines = [usage[product], ...attach.map((statement) => `${statement};`), ...shown.flatMap(viewLines)]
  output.result('move-views/v1', { statements, views: shown }, lines)
  return exitCodes.done
}

async function tablesOf(config: Config) {
  const { enabledFeatures } = await import('../../core/feature.ts')
  const { mergeTables } = await import('../../core/table.ts')
  const { featureList } = await import('../../features/index.ts')
  return mergeTables(enabledFeatures(featureList, config))
}

/** The tables by their names before a switch in the same database. */
function formerNames({ tables }: OpenedSource['recognized'], target: Target | null): OpenedSource['recognized']['tables'] {
  const renames = target?.move?.details.sameSchema?.renames ?? []
  return withNames(
    tables,
    renames.map(([from, to]) => [to, from]),
  )
}

const usage = {
  sqlite: '-- For each connection of the application: temporary views come before tables of the same name.',
  mysql:
    '-- In the database of the application, after its old tables were renamed. Before move back: drop them, and undo the renaming.',
} as const

function viewLines({ name, statement, left, reason }: View): string[] {
  if (statement === null) return [`-- ${name}: no view, ${reason}`]
  return [...(left.length > 0 ? [`-- ${name} without ${left.join(', ')}`] : []), `${statement};`]
}
