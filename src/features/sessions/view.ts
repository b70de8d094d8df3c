import { z } from 'zod'
import { viewOf } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import type { DeclaredTables } from '../index.ts'

/** A session as its owner sees it: the visible columns, and the token that this very request carried, or a handle. */
export const fullSession = (tables: Tables) =>
  viewOf<DeclaredTables['session'], { token: string }>(tables.session, { token: z.string() })
