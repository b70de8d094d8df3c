/** Signing up and in by address and password. Resetting and verifying belong to features of their own. */
export { checkConfig, config } from './config.ts'
export { createUserWithPassword } from './create-user.ts'
export { errors } from './errors.ts'
export { mails } from './mails.ts'
export { proveOwnPassword } from './own-password.ts'
export { checkPasswordLength, hashPassword, provesPassword } from './passwords.ts'
export { routes } from './routes.ts'
