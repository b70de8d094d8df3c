/** Moving in and moving out: users with their ways to sign in, as lines of JSON. */
export { exportUsers } from './export.ts'
export { type ImportLine, importUsers, type LineOutcome } from './import.ts'

/** It has nothing else to declare: no tables, no calls. */
export const enabled = (): boolean => true
