/** Single-use secrets with an expiry. What a secret permits is decided by the feature that asked for it. */
import type { Job } from '../../core/feature.ts'
import { sweepVerifications } from './sweep.ts'

export { config } from './config.ts'
export { errors } from './errors.ts'
export { beginUse, endUse, giveUseBack } from './spent.ts'
export { indexes, tables } from './tables.ts'
export {
  consumeVerification,
  createVerification,
  deleteVerifications,
  findVerification,
  hasVerification,
  pretendVerification,
} from './verifications.ts'

export const jobs = { verifications: { every: 300, run: sweepVerifications } } satisfies Record<string, Job>
