/** Query, body and path values by the route's schemas; every other key is dropped (contract 00 §2). */
import type { z } from 'zod'
import { ApiError, errors, invalidQuery } from '../core/errors.ts'
import type { MatchedRoute } from './routing.ts'

/** What a call has brought. Its query is taken apart only when somebody asks. */
export interface SentInput {
  readonly query: () => Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** @throws ApiError VALIDATION_ERROR, which never repeats what was sent: it may be a password */
export function parseInput({ route, params }: MatchedRoute, sent: SentInput) {
  const body = route.body ? parse(route.body, sent.body, errors.VALIDATION_ERROR) : undefined
  const query = route.query ? parse(route.query, sent.query(), invalidQuery) : undefined
  return { body, query, params: route.params ? parse(route.params, params, invalidQuery) : undefined }
}

function parse(schema: z.ZodType, value: unknown, entry: typeof invalidQuery): unknown {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ApiError(entry)
  return parsed.data
}

/** Repeated keys become a list, others stay texts. */
export function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  if (search.size === 0) return {}
  return Object.fromEntries(
    [...new Set(search.keys())].map((key) => {
      const values = search.getAll(key)
      return [key, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}
