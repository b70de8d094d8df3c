import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { findCredentialAccount } from '../accounts/index.ts'
import type { Caller } from '../attempts/index.ts'
import { errors } from './errors.ts'
import { provesPassword } from './passwords.ts'

/**
 * Lets a signed-in user prove once more who he is.
 * @returns the stored password that he has proved to know
 * @throws ApiError CREDENTIAL_ACCOUNT_NOT_FOUND, INVALID_PASSWORD, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function proveOwnPassword(ctx: Caller, user: UserRow, password: string): Promise<string> {
  const stored = (await findCredentialAccount(ctx, user.id))?.password
  if (!stored) throw new ApiError(errors.CREDENTIAL_ACCOUNT_NOT_FOUND)
  if (!(await provesPassword(ctx, user, password))) throw new ApiError(errors.INVALID_PASSWORD)
  if (!ctx.hasher.needsRehash(stored)) return stored
  // Proving it has replaced the hash by one of ours.
  return (await findCredentialAccount(ctx, user.id))?.password ?? stored
}
