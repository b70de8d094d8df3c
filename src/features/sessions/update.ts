import type { App } from '../../core/app.ts'
import { afterUpdate, beforeUpdate } from '../../core/database-hooks.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { encodeLists, readFields } from '../../core/field-values.ts'
import type { CurrentIdentity, CurrentSession } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { errors, updateRefused } from './errors.ts'
import { forgetCopies } from './generation.ts'
import { findSession } from './sessions.ts'

/**
 * Writes fields of the installation's own into a session.
 * @param given what its owner asks for; what is not for callers is passed over
 * @returns session and user as they are now; null when nothing was asked for that may be written
 * @throws ApiError `<field> is required`, VALIDATION_ERROR, FAILED_TO_UPDATE_SESSION; UNAUTHORIZED when the session has ended meanwhile
 */
export async function updateSession(app: App, session: CurrentSession, given: object): Promise<CurrentIdentity | null> {
  const asked = await readFields(app.config.session.additionalFields, given, 'update')
  if (Object.keys(asked).length === 0) return null
  const columns = await beforeUpdate(app, 'session', { ...asked, updatedAt: app.now() })
  if (!columns) throw new ApiError(updateRefused)
  await writeColumns(app, session, columns)
  const current = await findSession(app, session.token)
  if (!current) throw new ApiError(kernelErrors.UNAUTHORIZED)
  const { token: _, ...row } = current.session
  await afterUpdate(app, 'session', row)
  return current
}

async function writeColumns(app: App, { id, userId }: CurrentSession, columns: object): Promise<void> {
  try {
    await transaction(app, async (inner) => {
      await inner.db.updateTable('session').set(encodeLists(columns)).where('id', '=', id).execute()
      await forgetCopies(inner, userId)
    })
  } catch (error) {
    if (!app.database.isUniqueViolation(error)) throw error
    throw new ApiError(errors.FAILED_TO_UPDATE_SESSION, { cause: error })
  }
}
