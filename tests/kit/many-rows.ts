/** More rows of one owner than a slice has. */
import type { App } from '../../src/core/app.ts'
import type { Database } from '../../src/features/index.ts'

/** Few enough for the parameters of one statement. */
const batchSize = 1000

/** @param rowOf the columns without `id`; the number counts from 0 */
export async function insertMany(
  app: App,
  table: keyof Database,
  count: number,
  rowOf: (number: number) => object,
): Promise<void> {
  for (let from = 0; from < count; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - from) }, (_, at) => ({
      id: app.random.id(),
      ...rowOf(from + at),
    }))
    await app.db
      .insertInto(table)
      .values(rows as never)
      .execute()
  }
}
