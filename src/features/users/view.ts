import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { mergeTables } from '../../core/merged-tables.ts'
import type { UserRow } from '../../core/request.ts'
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

export type UserView = z.input<typeof userView>

/** A user as get-session shows it: every visible column, also those that other features added. */
export const fullUser = (tables: Tables) => viewOf<DeclaredTables['user']>(tables.user)

const views = new WeakMap<App['features'], z.ZodType>()

/** A user as JSON has it, with texts for times: every visible column. */
export type DescribedUser = z.output<typeof userView> & Readonly<Record<string, unknown>>

/** The same as a value, for mails and functions of the configuration. */
export function describeUser(app: App, user: UserRow): DescribedUser {
  const view = views.get(app.features) ?? fullUser(mergeTables(app.features))
  views.set(app.features, view)
  return { ...Object(view.parse(user)), ...userView.parse(user) }
}
