/** First access: administrators seeded from the configuration, and the single-use link by which one sets a password. */
import type { Listeners } from '../../core/events.ts'
import { deleteVerifications } from '../verifications/index.ts'
import { purpose } from './links.ts'

export { checkConfig, config } from './config.ts'
export { createUser } from './create.ts'
export { errors } from './errors.ts'
export { routes } from './routes.ts'
export { seed } from './seed.ts'

export const on: Listeners = {
  'password.changed': (app, { userId }) => deleteVerifications(app, purpose, userId),
  'user.deleted': (app, { userId }) => deleteVerifications(app, purpose, userId),
}
