/** `--views`: SQL for code of the application that reads the tables of better-auth. */
import { type ExitCode, exitCodes, usageError } from '../../project/failure.ts'
import type { MoveCommandContext } from './from-better-auth.ts'
import type { Target } from './same-schema.ts'
import type { OpenedSource } from './source-options.ts'

/** @throws Failure USAGE, CONFIG_INVALID: the views have the columns of the configuration */
export async function printViews(
  { options, output, loadConfig }: MoveCommandContext,
  { source, recognized, url }: OpenedSource,
  target: Target | null,
): Promise<ExitCode> {
  const { sourceName } = await import('./apply-move.ts')
  const { createViews } = await import('../../features/move/index.ts')
  const { enabledFeatures } = await import('../../core/feature.ts')
  const { mergeTables } = await import('../../core/table.ts')
  const { featureList } = await import('../../features/index.ts')
  const { config } = await loadConfig()
  const own = mergeTables(enabledFeatures(featureList, config))
  const place = config.database.url ?? ''
  const { product } = source
  if (product === 'postgres' || !place.startsWith(`${product}:`))
    throw usageError(`--views: code that reads ${product} cannot read the database of the configuration`)
  const former = new Map((target?.move?.details.sameSchema?.renames ?? []).map(([from, to]) => [to, from]))
  const tables = new Map(
    [...recognized.tables].map(([kind, table]) => [kind, { ...table, table: former.get(table.table) ?? table.table }] as const),
  )
  const from = product === 'sqlite' ? 'latchkey' : (URL.parse(place)?.pathname.slice(1) ?? '')
  const ids = options.ids ?? 'text'
  const views = createViews({ tables, own, generation: recognized.generation, product, from, ids, zone: options.sourceTimeZone })
  const isSame = target !== null || sourceName(place) === sourceName(url)
  const shown = views.map(({ name, statement, left }) =>
    product === 'mysql' && isSame && own[name] !== undefined
      ? { name, statement: null, left, reason: 'a table of Latchkey has this name' }
      : { name, statement, left, reason: statement === null ? 'Latchkey stores it encrypted or hashed' : null },
  )
  const attach = product === 'sqlite' ? [`attach database '${fileOf(place).replaceAll("'", "''")}' as latchkey`] : []
  const statements = [...attach, ...shown.flatMap(({ statement }) => statement ?? [])]
  output.result('move-views/v1', { statements, views: shown }, [
    product === 'sqlite'
      ? '-- For each connection of the application: temporary views come before tables of the same name.'
      : '-- In the database of the application, after its old tables were renamed. Before move back: drop them, and undo the renaming.',
    ...attach.map((statement) => `${statement};`),
    ...shown.flatMap(({ name, statement, left, reason }) => [
      ...(reason === null ? [] : [`-- ${name}: no view, ${reason}`]),
      ...(statement === null ? [] : [...(left.length > 0 ? [`-- ${name} without ${left.join(', ')}`] : []), `${statement};`]),
    ]),
  ])
  return exitCodes.done
}

const fileOf = (url: string): string => url.replace(/^sqlite:(\/\/)?/, '')
