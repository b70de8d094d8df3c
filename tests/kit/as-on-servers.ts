/** What MySQL and MariaDB do and SQLite does not, for tests on SQLite. */
import { type KyselyPlugin, type OperationNode, sql } from 'kysely'
import type { App } from '../../src/core/app.ts'

interface Comparison {
  readonly operator?: { readonly operator?: unknown }
  readonly rightOperand?: { readonly kind: string; readonly values?: readonly unknown[] }
}

function findEmptyList(node: object): boolean {
  const { operator, rightOperand } = node as Comparison
  const isList = operator?.operator === 'in' || operator?.operator === 'not in'
  if (isList && rightOperand?.values?.length === 0) return true
  return Object.values(node).some((part) => typeof part === 'object' && part !== null && isNode(part) && findEmptyList(part))
}

/** Values of a query are not part of its structure. */
const isNode = (part: object): boolean => Array.isArray(part) || typeof (part as OperationNode).kind === 'string'

/** Fails each query with `in ()`: SQLite finds nothing with it, and servers reject it as an error. */
export const rejectEmptyLists: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (findEmptyList(node)) throw new Error('A query has `in ()`, which is an error on MySQL: leave it out for an empty list')
    return node
  },
  transformResult: async ({ result }) => result,
}

/** Reverses the rows of queries without `order by`: a server returns them in any order (https://sqlite.org/pragma.html). */
export const reverseWithoutOrder = (db: App['db']): Promise<unknown> => sql`pragma reverse_unordered_selects = on`.execute(db)
