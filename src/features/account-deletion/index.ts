/** Deleting one's own account: at once, by password, or by a mailed link. What an administrator deletes is not its business. */
import type { Listeners } from '../../core/events.ts'
import { deleteVerifications } from '../verifications/index.ts'
import { purpose } from './delete.ts'

export { config } from './config.ts'
export { errors } from './errors.ts'
export { mails } from './mails.ts'
export { routes } from './routes.ts'

export const on: Listeners = {
  'user.deleted': (app, { userId }) => deleteVerifications(app, purpose, userId),
}
