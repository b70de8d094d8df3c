/** What a new password must not be: one of a list that everybody tries, or words about its owner (SP 800-63B-4 §3.1.1.2). */
export { checkNewPassword } from './check.ts'
export { config } from './config.ts'
export type { PasswordOwner } from './context-words.ts'
export { errors } from './errors.ts'
