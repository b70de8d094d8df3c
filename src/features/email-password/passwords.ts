import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { Hasher } from '../../core/ports.ts'
import type { UserRow } from '../../core/request.ts'
import { findCredentialAccount, setCredentialPassword } from '../accounts/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { errors } from './errors.ts'

/**
 * Length in UTF-16 code units, before normalization (contract 00 §12). Asked before any hashing: a long text costs.
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG
 */
export function checkPasswordLength(app: App, password: string): void {
  const { minPasswordLength, maxPasswordLength } = app.config.emailAndPassword
  if (password.length < minPasswordLength) throw new ApiError(errors.PASSWORD_TOO_SHORT)
  if (password.length > maxPasswordLength) throw new ApiError(errors.PASSWORD_TOO_LONG)
}

/** @throws ApiError SERVICE_UNAVAILABLE when too many hashes wait already */
export const hashPassword = (app: App, password: string): Promise<string> => app.hasher.hash(password)

// One decoy per hasher: it must cost what a real one costs, so it is made with the same parameters.
const decoys = new WeakMap<Hasher, Promise<string>>()

function decoyOf(app: App): Promise<string> {
  const known = decoys.get(app.hasher)
  if (known) return known
  const made = app.hasher.hash(app.random.token(32))
  // A refused hash must not be remembered as the decoy.
  made.catch(() => decoys.delete(app.hasher))
  decoys.set(app.hasher, made)
  return made
}

/**
 * The user of this address and password. Every failure is the same answer after the same work, so that neither text nor
 * time tells whether an address is known (ASVS 6.3.8).
 * @throws ApiError INVALID_EMAIL_OR_PASSWORD
 */
export async function authenticateByPassword(app: App, email: string, password: string): Promise<UserRow> {
  const decoy = await decoyOf(app)
  const user = await findUserByEmail(app, email)
  const account = user && (await findCredentialAccount(app, user.id))
  const isBounded = password.length <= app.config.emailAndPassword.maxPasswordLength
  const stored = isBounded ? account?.password : null
  const isRight = await app.hasher.verify(stored ?? decoy, isBounded ? password : '')
  if (!user || !stored || !isRight) throw new ApiError(errors.INVALID_EMAIL_OR_PASSWORD)
  if (app.hasher.needsRehash(stored)) await setCredentialPassword(app, user.id, await hashPassword(app, password))
  return user
}
