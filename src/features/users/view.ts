import { z } from 'zod'
import { isoDate, viewOf } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import type { DeclaredTables } from '../index.ts'

/** The seven keys that answers about signing in carry (contract 01, "User7"). */
export const userView = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  image: z.string().nullable(),
  emailVerified: z.boolean(),
  createdAt: isoDate,
  updatedAt: isoDate,
})

/** A user as get-session shows it: every visible column, also those that other features added. */
export const fullUser = (tables: Tables) => viewOf<DeclaredTables['user']>(tables['user'])
