/** Comparing passwords with stored hashes of many origins, without time telling what is stored. */
import type { Job } from '../../core/feature.ts'
import { takeCensus } from './census.ts'

export { notePasswordScheme } from './schemes.ts'
export { tables } from './tables.ts'
export { verifyPassword } from './verify.ts'

export const jobs = { passwordSchemes: { every: 86_400, run: takeCensus } } satisfies Record<string, Job>
