/** Columns that the configuration adds to a user (contract 01 §1). */
import type { z } from 'zod'
import { additionalColumns } from '../../core/additional-fields.ts'
import type { App } from '../../core/app.ts'
import { defaultFields, fieldShape, readFields } from '../../core/field-values.ts'
import type { Tables } from '../../core/table.ts'
import type { Config } from '../index.ts'

export const configuredTables = ({ user }: Pick<Config, 'user'>): Tables => ({ user: additionalColumns(user.additionalFields) })

/** Members of a body that may carry the fields. What they hold is looked at by `readUserFields`, after other checks. */
export const userFieldShape = ({ user }: Config): Record<never, z.ZodType> => fieldShape(user.additionalFields)

/**
 * The columns that a body asks to be written. Fields that are not for callers are passed over in silence.
 * @param mode `create`: what is required must be there; `update`: what is absent stays as it is
 * @throws ApiError `<field> is required`, VALIDATION_ERROR
 */
export const readUserFields = (app: App, given: object, mode: 'create' | 'update'): Promise<object> =>
  readFields(app.config.user.additionalFields, given, mode)

/** What a new user has unless it is given. */
export const defaultUserFields = ({ config }: App): object => defaultFields(config.user.additionalFields)
