/** Roles as rows: what each permits is declared in the configuration and written by `latchkey seed`. */
export { checkConfig, config } from './config.ts'
export { findUnknownRoles, setUserRole } from './roles.ts'
export { seed } from './seed.ts'
export { tables } from './tables.ts'
