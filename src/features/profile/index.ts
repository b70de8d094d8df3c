/** What people change about themselves, beside address and password. */
export { errors } from './errors.ts'
export { routes } from './routes.ts'
