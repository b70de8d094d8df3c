/** Pages of lists by keyset: a page continues after a row, however many rows there are before it. */
import { z } from 'zod'
import type { CallContext } from '../../core/request.ts'
import { anyId } from './schemas.ts'

/** Most rows of a page. */
export const maxPage = 1000

const count = z.coerce.number().int().min(1).max(maxPage)

/** Parameters of a list. Without `limit`, calls of better-auth return all rows. */
export const pageQuery = {
  limit: count.optional().describe('Number of rows; default: all'),
  after: anyId.optional().describe('Continue after the row with this ID, the last one of the previous page'),
}

/** Parameters of a list whose response has `total` and `hasMore`. */
export const objectPageQuery = {
  limit: count.default(100).describe('Number of rows'),
  after: pageQuery.after,
}

/**
 * For a response that is a list and has no place for them: the total, and whether there is more, as headers (RFC 8288).
 * @param after the id of the last row; null: this is the last page
 */
export function describePage(ctx: CallContext, total: number, after: string | null): void {
  ctx.headers['x-total-count'] = String(total)
  if (after !== null) ctx.headers.link = `<?after=${encodeURIComponent(after)}>; rel="next"`
}
