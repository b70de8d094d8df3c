/** The form of a line: what `export users` writes, and what may be left out of it. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { fieldSchema } from '../../core/field-values.ts'
import { mergeTables } from '../../core/merged-tables.ts'
import { emailAddress } from '../../core/schemas.ts'
import type { Column } from '../../core/table.ts'
import { readPasswordFormat } from '../../lib/password-formats.ts'

const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'expected a time such as 2026-01-31T12:00:00Z')
  .transform((text) => new Date(text))
  // What every database can hold as a time.
  .refine((date) => date.getUTCFullYear() >= 1000, 'expected a year from 1000 on')
/** Characters that fit into the column whatever they are. */
const longestHash = 16_000
const id = z.string().regex(/^[\x21-\x7e]{1,36}$/, 'expected 36 printable ASCII characters at most')

const accountSchema = ({ config }: App) =>
  z.strictObject({
    providerId: z.string().min(1).max(64),
    accountId: z.string().min(1).max(255).optional(),
    password: z
      .string()
      .max(longestHash)
      .refine(
        // What their function has made, only their function knows.
        (text) => readPasswordFormat(text) !== null || (text !== '' && config.emailAndPassword.password.verify !== undefined),
        'a hash of no known form, or one that costs too much to verify',
      )
      .nullish(),
    scope: z.string().max(16_000).nullish(),
    createdAt: time.optional(),
    updatedAt: time.optional(),
  })
type AccountLine = z.output<ReturnType<typeof accountSchema>>

/** Most columns of most users; each installation adds its own. */
interface UserPart {
  readonly id?: string | undefined
  readonly email: string
  readonly [column: string]: unknown
}
export interface UserLine {
  readonly user: UserPart
  readonly accounts: readonly AccountLine[]
}

/** Columns by their own names; members by the names that the API has for them. */
export function userLineSchema(app: App): z.ZodType<UserLine> {
  const columns = mergeTables(app.features).user ?? {}
  const fields = Object.values(app.config.user.additionalFields)
  const names = Object.entries(app.config.user.additionalFields).map(([name, { fieldName = name }]) => fieldName)
  const known = Object.entries(columns).filter(([, { internal }]) => !internal)
  const shape = known.map(([name, column]) => {
    const field = fields[names.indexOf(name)]
    return [column.shownAs ?? name, (field ? fieldSchema(field) : columnSchema(column)).nullish()]
  })
  const user = z.strictObject({ ...Object.fromEntries(shape), id: id.optional(), email: emailAddress.toLowerCase() })
  const line = z.strictObject({
    schema: z.literal('export-users/v1').optional(),
    user,
    accounts: z.array(accountSchema(app)).max(100).default([]).superRefine(checkAccounts),
  })
  return line as unknown as z.ZodType<UserLine>
}

function columnSchema({ kind, length = 255 }: Column): z.ZodType {
  if (kind === 'boolean') return z.boolean()
  if (kind === 'integer') return z.int32()
  if (kind === 'bigint') return z.int()
  if (kind === 'timestamp') return time
  if (kind === 'json') return z.unknown()
  return z.string().max(kind === 'text' ? 16_000 : length)
}

function checkAccounts(accounts: readonly AccountLine[], check: z.RefinementCtx): void {
  const keys = accounts.map(({ providerId, accountId }) =>
    providerId === 'credential' ? providerId : `${providerId} ${accountId}`,
  )
  accounts.forEach(({ providerId, accountId, password }, position) => {
    const isCredential = providerId === 'credential'
    if (!isCredential && accountId === undefined)
      check.addIssue({ code: 'custom', path: [position, 'accountId'], message: 'is missing' })
    if (!isCredential && password)
      check.addIssue({ code: 'custom', path: [position, 'password'], message: 'only a credential account has one' })
    if (keys.indexOf(keys[position] ?? '') !== position)
      check.addIssue({ code: 'custom', path: [position], message: 'stands there twice' })
  })
}
