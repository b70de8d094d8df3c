/** `databaseHooks` of the configuration (contract 07): the installation's own functions around the writes of four tables. */
import { z } from 'zod'
import type { App } from './app.ts'
import { callback, group } from './config.ts'

type Model = 'user' | 'session' | 'account' | 'verification'
/** Secrets and what is for our own work are not shown to hooks, and what they return of them is not taken. */
const withheld = ['tokenHash', 'password', 'accessToken', 'refreshToken', 'idToken', 'identifier', 'accessRevision'] as const
export type HookData = Readonly<Record<string, unknown>>
/** `false` refuses the write; `{ data }` changes it; nothing leaves it as it is. */
export type BeforeHook = (data: HookData) => HookAnswer | Promise<HookAnswer>
type HookAnswer = false | { readonly data: HookData } | undefined
export type AfterHook = (row: HookData) => void | Promise<void>

const moments = {
  before: callback<BeforeHook>().optional(),
  after: callback<AfterHook>().optional(),
}
const model = z
  .strictObject({ create: z.strictObject(moments).optional(), update: z.strictObject(moments).optional() })
  .optional()

export const databaseHooksConfig = {
  databaseHooks: group(
    'Functions of your own around the writes of rows: before may refuse or change, after sees what was written',
    {
      user: model.describe('Rows of people'),
      session: model.describe('Rows of sessions'),
      account: model.describe('Rows of accounts'),
      verification: model.describe('Rows of single-use secrets'),
    },
  ),
}

/**
 * Asks the hook before a row is created. Call it outside a transaction: a hook may take its time.
 * @returns the row to insert, or null when the hook refuses it
 */
export async function beforeCreate<R extends { readonly id: string }>(app: App, model: Model, row: R): Promise<R | null> {
  const answer = await app.config.databaseHooks[model]?.create?.before?.(shown(row))
  if (answer === false) return null
  return answer ? { ...row, ...writable(answer.data) } : row
}

/**
 * Asks the hook before columns are changed. Call it outside a transaction.
 * @returns the columns to write, or null when the hook refuses the change
 */
export async function beforeUpdate<P extends object>(app: App, model: Model, columns: P): Promise<P | null> {
  const answer = await app.config.databaseHooks[model]?.update?.before?.(shown(columns))
  if (answer === false) return null
  // What the hook was not shown stays: it could not have repeated it.
  return answer ? ({ ...kept(columns), ...writable(answer.data) } as P) : columns
}

/** Tells the hook of a row that was created. Call it after the commit. @throws whatever the hook throws */
export async function afterCreate(app: App, model: Model, row: object): Promise<void> {
  await app.config.databaseHooks[model]?.create?.after?.(shown(row))
}

/** Tells the hook of a row that was changed. Call it after the commit. @throws whatever the hook throws */
export async function afterUpdate(app: App, model: Model, row: object): Promise<void> {
  await app.config.databaseHooks[model]?.update?.after?.(shown(row))
}

const isWithheld = (name: string) => withheld.some((known) => known === name)
const shown = (row: object): HookData => Object.fromEntries(Object.entries(row).filter(([name]) => !isWithheld(name)))
const kept = (row: object): HookData => Object.fromEntries(Object.entries(row).filter(([name]) => isWithheld(name)))
const writable = (data: HookData): HookData =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !isWithheld(name) && name !== 'id'))
