/** A user's ways to sign in: one row for the password, one for each provider. Tokens of providers are not its business yet. */
export {
  type AccountDraft,
  type AccountRow,
  draftCredentialAccount,
  findCredentialAccount,
  insertAccount,
  insertAccounts,
  listAccounts,
  listAccountsOf,
} from './accounts.ts'
export { config } from './config.ts'
export { errors } from './errors.ts'
export { changePassword, replacePasswordHash } from './passwords.ts'
export { routes } from './routes.ts'
export { indexes, tables } from './tables.ts'
