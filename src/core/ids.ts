/** `advanced.database.generateId` of the configuration (contract 07): ids of rows by a function of the installation's own. */
import { z } from 'zod'
import type { Database } from '../features/index.ts'
import type { App } from './app.ts'
import { group } from './config.ts'

/** Characters of the ids that we make. */
const size = 32
const isId = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,36}$/.test(value)

/** `model` is the table, `size` the number of characters that ours have. */
export type GenerateId = (row: { readonly model: string; readonly size: number }) => string

export const idConfig = {
  database: group('Ids of rows', {
    generateId: z
      .custom<GenerateId>(
        (value) => typeof value === 'function',
        'Expected a function: an id is made before its row is inserted, never by the database',
      )
      .meta({ function: true })
      .optional()
      .describe(
        'Makes the ids of users, sessions, accounts and secrets: `({ model, size }) => text`, unique, 36 printable ASCII characters at most. Default: 32 random letters and digits',
      ),
  }),
}

/**
 * The id of a row that is about to be inserted. Call it outside a transaction: it may be a function of the installation's own.
 * @throws TypeError when that function returns what is no id
 */
export function createId(app: App, model: keyof Database & string): string {
  const { generateId } = app.config.advanced.database
  if (!generateId) return app.random.id()
  const made: unknown = generateId({ model, size })
  if (!isId(made))
    throw new TypeError(`advanced.database.generateId must return 1 to 36 printable ASCII characters, for "${model}" too`)
  return made
}
