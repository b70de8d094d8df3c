/** A user's ways to sign in: one row for the password, one for each provider. Tokens of providers are not its business yet. */
export { type AccountDraft, draftCredentialAccount, findCredentialAccount, insertAccount, setCredentialPassword } from './accounts.ts'
export { errors } from './errors.ts'
export { indexes, tables } from './tables.ts'
