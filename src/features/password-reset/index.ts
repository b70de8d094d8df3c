/** Links to a new password, for people who have forgotten theirs. Who is signed in changes it by password-change. */
import type { Listeners } from '../../core/events.ts'
import { deleteVerifications } from '../verifications/index.ts'
import { purpose } from './reset.ts'

export { config } from './config.ts'
export { errors } from './errors.ts'
export { mails } from './mails.ts'
export { routes } from './routes.ts'

export const on: Listeners = {
  // After a password of his own, other links stay good (contract 01 §5.5).
  'password.changed': async (app, { userId, isOwn }) => {
    if (!isOwn) await deleteVerifications(app, purpose, userId)
  },
  'user.deleted': (app, { userId }) => deleteVerifications(app, purpose, userId),
}
