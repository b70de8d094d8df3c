/** Roles as rows: what each permits is declared in the configuration and written by `latchkey seed`. */
export { config, checkConfig } from './config.ts'
export { setUserRole } from './roles.ts'
export { seed } from './seed.ts'
export { tables } from './tables.ts'
