/** Puts a prefix before the names of Latchkey's tables in every query that Kysely builds. */
import { type KyselyPlugin, OperationNodeTransformer, type QueryId, TableNode } from 'kysely'
import type { TablePrefix } from '../../core/table-prefix.ts'

/** An alias has none of the names, so that it is left alone. */
class PrefixTransformer extends OperationNodeTransformer {
  private readonly prefix: TablePrefix
  private readonly isOwn: (table: string) => boolean

  constructor(prefix: TablePrefix, isOwn: (table: string) => boolean) {
    super()
    this.prefix = prefix
    this.isOwn = isOwn
  }

  protected override transformTable(node: TableNode, queryId?: QueryId): TableNode {
    const { schema, identifier } = node.table
    if (schema || !this.isOwn(identifier.name)) return super.transformTable(node, queryId)
    return TableNode.create(`${this.prefix.value}${identifier.name}`)
  }
}

/** @param isOwn whether a table is one of Latchkey's, by its name without the prefix */
export function prefixTables(prefix: TablePrefix, isOwn: (table: string) => boolean): KyselyPlugin {
  const transformer = new PrefixTransformer(prefix, isOwn)
  return {
    transformQuery: ({ node, queryId }) => (prefix.value === '' ? node : transformer.transformNode(node, queryId)),
    transformResult: async ({ result }) => result,
  }
}
