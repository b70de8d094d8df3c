/** What a user is, and the only writer of the table. How a user signs in is the business of accounts and of those below. */
export { errors } from './errors.ts'
export { tables } from './tables.ts'
export { draftUser, findUserByEmail, findUserById, insertUser, type NewUser, type UserDraft } from './users.ts'
export { fullUser, userView } from './view.ts'

/** What roles may be allowed to do to users (contract 05 §1). */
export const permissions = { user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'] } as const
