/** Asking for another address. The link that completes it is followed in email-verification. */
export { config } from './config.ts'
export { errors } from './errors.ts'
export { mails } from './mails.ts'
export { routes } from './routes.ts'
