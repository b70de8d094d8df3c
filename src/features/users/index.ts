/** What a user is, and the only writer of the table. How a user signs in is the business of accounts and of those below. */
export { checkConfig, config } from './config.ts'
export { errors } from './errors.ts'
export { configuredTables, defaultUserFields, readUserFields, userFieldShape } from './fields.ts'
export { describeUserRecord, streamUserPages, streamUsers, type UserRecord, userRecord } from './records.ts'
export { tables } from './tables.ts'
export {
  deleteUser,
  draftUser,
  draftUserUpdate,
  findUserByEmail,
  findUserById,
  findUsersByEmailOrId,
  holdUser,
  insertUser,
  insertUsers,
  type NewUser,
  type UserDraft,
  updateUser,
} from './users.ts'
export { type DescribedUser, describeUser, fullUser, type UserView, userView } from './view.ts'

/** What roles may be allowed to do to users (contract 05 §1). */
export const permissions = { user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'] } as const
