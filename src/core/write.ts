/**
 * Writes rows of tables that have hooks (`databaseHooks` of the configuration, contract 07): before-hooks run outside the
 * transaction, rows and events are written inside it, after-hooks run when it is committed.
 */
import type { Config, Database } from '../features/index.ts'
import type { App } from './app.ts'
import { callback, group } from './config.ts'
import { ApiError, type ErrorEntry, errors, parameterError } from './errors.ts'
import { type Column, columnsOf, fitsColumn } from './table.ts'
import { afterCommit, transaction } from './transaction.ts'

/** A row as hooks see it: its columns, without secrets and internal ones. */
type HookData = Readonly<Record<string, unknown>>
type HookAnswer = false | { readonly data: HookData } | undefined
/** `false` rejects the write; `{ data }` changes it; undefined leaves it as it is. */
type BeforeHook = (data: HookData) => HookAnswer | Promise<HookAnswer>
type AfterHook = (row: HookData) => void | Promise<void>

/** A table with `databaseHooks`: its feature declares it by `hookable` in its configuration. */
type HookableTable = keyof Config['databaseHooks']
type Action = 'create' | 'update'

/** A row to be written. Features that own a table return one; `write` executes any number of them together. */
export interface RowWrite<D extends object = object, E extends ErrorEntry | null = ErrorEntry | null> {
  readonly table: HookableTable
  readonly action: Action
  /** The whole row to create, or the columns to update. */
  readonly draft: D
  /** The error when the before-hook rejects the write; null: `write` returns null. */
  readonly rejection: E
}

type Drafts<W> = { readonly [I in keyof W]: W[I] extends RowWrite<infer D> ? D : never }
type Rejected<W extends readonly RowWrite[]> = null extends W[number]['rejection'] ? null : never

/**
 * Writes rows in one transaction, with the hooks of their tables around it. Call it outside a transaction: a before-hook may take
 * long. `work` inserts or updates the drafts, emits their events and calls `written` for each row that it wrote.
 * @param options.isOneStatement `work` executes a single statement and nothing listens to it: no transaction is
 * needed, unless the credential of the call must be checked in it
 * @returns what `work` returns, after the commit and the after-hooks; null when a hook rejects a write without an error
 * @throws ApiError `rejection` of the write that its hook rejects; whatever a before-hook or `work` throws, and nothing is written
 */
export async function write<const W extends readonly RowWrite[], R>(
  app: App,
  writes: W,
  work: (tx: App, ...drafts: Drafts<W>) => Promise<R>,
  { isOneStatement = false } = {},
): Promise<R | Rejected<W>> {
  const drafts = await runBeforeHooks(app, writes)
  if (!drafts) return drafts
  const run = (tx: App) => work(tx, ...drafts)
  return isOneStatement && app.credentialHold === null ? run(app) : transaction(app, run)
}

/**
 * The first part of `write`, for code that decides after the before-hooks whether it writes. Call it outside a transaction.
 * @returns the drafts as the hooks leave them; null when a hook rejects a write without an error
 * @throws ApiError `rejection` of the write that its hook rejects; VALIDATION_ERROR when a value is too long for its column; whatever
 * a before-hook throws
 */
export async function runBeforeHooks<const W extends readonly RowWrite[]>(app: App, writes: W): Promise<Drafts<W> | Rejected<W>> {
  const drafts: object[] = []
  for (const one of writes) {
    const draft = await runBeforeHook(app, one)
    if (!draft && one.rejection) throw new ApiError(one.rejection)
    if (!draft) return null as Rejected<W>
    checkLengths(app, one.table, draft)
    drafts.push(draft)
  }
  return drafts as unknown as Drafts<W>
}

/**
 * Schedules the after-hook of a written row, to be called when the transaction is committed. A hook that throws is logged and
 * counted; the row stays written and the call succeeds.
 * @param row as it is now, with all its columns
 */
export async function written(tx: App, table: HookableTable, action: Action, row: object): Promise<void> {
  const { after } = tx.config.databaseHooks[table][action]
  if (!after) return
  const data = visible(tx, table, row)
  await afterCommit(tx, async () => after(data), { hook: `databaseHooks.${table}.${action}.after` })
}

/** @returns false when a row with a unique value of this one exists already: of concurrent requests one gets true */
export async function insertUnlessExists(app: Pick<App, 'database'>, insert: { execute(): Promise<unknown> }): Promise<boolean> {
  try {
    await insert.execute()
    return true
  } catch (error) {
    if (app.database.isUniqueViolation(error)) return false
    throw error
  }
}

/** @returns the draft as the hook leaves it; null when the hook rejects the write */
async function runBeforeHook<D extends object>(app: App, { table, action, draft }: RowWrite<D>): Promise<D | null> {
  const answer = await app.config.databaseHooks[table][action].before?.(visible(app, table, draft))
  if (answer === false) return null
  if (!answer) return draft
  const columns = columnsOf(app, table)
  // The hook's columns replace those of an update, except withheld columns: the hook cannot return what it did not get.
  const kept = action === 'create' ? draft : select(draft, (name) => isWithheld(columns[name]))
  const changed = { ...kept, ...select(answer.data, (name) => !isWithheld(columns[name]) && !columns[name]?.primary) }
  // An SQL update needs a column: when none is left, it is the time of the update.
  return (Object.keys(changed).length > 0 ? changed : select(draft, (name) => name === 'updatedAt')) as D
}

/** Also what hooks and functions of the configuration return, which no schema has checked. */
function checkLengths(app: App, table: HookableTable, draft: object): void {
  const columns = columnsOf(app, table)
  for (const [name, value] of Object.entries(draft)) {
    const column = columns[name]
    if (column && !fitsColumn(column, value))
      throw parameterError(
        errors.VALIDATION_ERROR,
        [column.outputName ?? name],
        new Error(`The value of ${table}.${name} is too long for its column`),
      )
  }
}

const isWithheld = (column: Column | undefined) => column !== undefined && (column.secret || column.internal)
const select = (row: object, has: (name: string) => boolean): HookData =>
  Object.fromEntries(Object.entries(row).filter(([name]) => has(name)))

function visible(app: App, table: HookableTable, row: object): HookData {
  const columns = columnsOf(app, table)
  return select(row, (name) => !isWithheld(columns[name]))
}

const create = {
  before: callback<BeforeHook>().optional().describe('Called with the row to create; `false` rejects it, `{ data }` changes it'),
  after: callback<AfterHook>().optional().describe('Called with the written row after the commit; an error is logged'),
}
const update = {
  before: callback<BeforeHook>()
    .optional()
    .describe('Called with the columns to update; `false` rejects the update, `{ data }` replaces them'),
  after: callback<AfterHook>().optional().describe('Called with the written row after the commit; an error is logged'),
}

/**
 * Declares the table as hookable: the part of a feature's `config` for its `databaseHooks`.
 * @param rows plural name of the rows, for the configuration reference
 */
export function hookable<const T extends string>(table: T, rows: string) {
  const hooks = group(`Hooks for ${rows}`, {
    create: group(`Before and after ${rows} are created`, create),
    update: group(`Before and after ${rows} are updated`, update),
  })
  const tables = { [table]: hooks } as { readonly [K in T]: typeof hooks }
  return { databaseHooks: group('Functions called before and after rows are created or updated', tables) }
}

/** Lists of at most `size` entries, for statements that take a limited number of them. */
export function* batchesOf<T>(entries: readonly T[], size: number): Generator<readonly T[], void, undefined> {
  for (let from = 0; from < entries.length; from += size) yield entries.slice(from, from + size)
}

/** SQLite has 32,766 parameters in a statement, MySQL 65,535. */
const mostParameters = 32_000

/** Rows with the same columns, in lists that one statement can insert. */
export const insertionsOf = <R extends object>(rows: readonly R[]): Generator<readonly R[], void, undefined> =>
  batchesOf(rows, Math.max(1, Math.floor(mostParameters / Math.max(1, Object.keys(rows[0] ?? {}).length))))

/** Characters of the default ids. */
const size = 32
const isId = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,36}$/.test(value)

/**
 * Generates the id of a new row. Call it outside a transaction, because it may call a function of the configuration.
 * @throws TypeError when that function returns an invalid id
 */
export function createId(app: App, model: keyof Database & string): string {
  const { generateId } = app.config.advanced.database
  if (!generateId) return app.random.id()
  const made: unknown = generateId({ model, size })
  if (!isId(made))
    throw new TypeError(`advanced.database.generateId must return 1 to 36 printable ASCII characters, for "${model}" too`)
  return made
}
