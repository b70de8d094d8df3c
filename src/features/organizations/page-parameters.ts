/** What the calls that list parts of an organization read and respond with, for pages by keyset. */
import { z } from 'zod'
import { maxPage } from '../../core/pages.ts'
import type { CallContext } from '../../core/request.ts'

const count = z.coerce.number().int().min(1).max(maxPage)

/** Parameters of a list. Without `limit`, calls of better-auth return all rows. */
export const pageQuery = {
  limit: count.optional().describe('Number of rows; default: all'),
  after: z
    .string()
    .max(1024)
    .optional()
    .describe('Continue after the row with this ID, the last one of the previous page, or at a position that a response named'),
}

/** Parameters of a list whose response has `total` and `hasMore`. */
export const objectPageQuery = {
  limit: count.default(100).describe('Number of rows'),
  after: pageQuery.after,
}

/** The part of a response that says whether there are more rows. */
export const pageView = {
  total: z.int().describe('Number of all rows'),
  hasMore: z.boolean().describe('Whether there are rows after this page'),
  next: z
    .string()
    .nullable()
    .describe('Position after this page, for `after`; unlike an ID it stays valid when its row is deleted. Null: the last page'),
}

/** The `responseHeaders` of a call that describes its page. */
export const pageHeaders = {
  'x-total-count': 'Number of rows on all pages',
  link: 'The next page, with the relation `next` (RFC 8288). Missing on the last page',
} as const

/**
 * For a response that is a list and has no place for them: the total, and whether there is more, as headers (RFC 8288).
 * @param after the last row: its id, or its position; null: this is the last page
 */
export function describePage(ctx: CallContext, total: number, after: string | null): void {
  ctx.headers['x-total-count'] = String(total)
  if (after === null) return
  const query = ctx.request.queryParameters()
  query.set('after', after)
  ctx.headers.link = `<?${query}>; rel="next"`
}
