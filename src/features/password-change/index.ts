/** A new password for somebody who is signed in, and the question whether he knows the present one. */
export { errors } from './errors.ts'
export { setFirstPassword, setPasswordForUser } from './passwords.ts'
export { routes } from './routes.ts'
