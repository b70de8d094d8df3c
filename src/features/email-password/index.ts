/** Signing up and in by address and password. Resetting and verifying belong to features of their own. */
export { config, checkConfig } from './config.ts'
export { createUserWithPassword } from './create-user.ts'
export { errors } from './errors.ts'
export { checkPasswordLength, hashPassword } from './passwords.ts'
export { routes } from './routes.ts'
