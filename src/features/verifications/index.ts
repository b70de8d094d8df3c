/** Single-use tokens and one-time codes, and the links that set a password: reset links and setup links. */
import type { App } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import type { UserRow } from '../../core/request.ts'
import { findUserById } from '../users/index.ts'
import { codeIndexes, codeJobs, codeTables, deleteCodes } from './code-store.ts'
import { endPendingAccess } from './pending-access.ts'
import {
  consumeVerification,
  deleteVerifications,
  findVerification,
  tokenIndexes,
  tokenJobs,
  tokenTables,
} from './token-store.ts'

export { bindCode, browserMarks, findCodeBrowser, keepsCookies, markBrowser } from './browser-mark.ts'
export {
  type CodeName,
  checkCode,
  createCode,
  deleteCode,
  deleteToken,
  endCode,
  type FoundCode,
  findCode,
  hasCode,
  randomCode,
  useCode,
} from './code-store.ts'
export { exampleRequester, type Requester, requesterFacts, requesterOf } from './requester.ts'
export { claimToken, consumeToken, releaseToken } from './signed-tokens.ts'
export type { TokenPurpose } from './token-purposes.ts'
export {
  config,
  consumeVerification,
  createVerification,
  createVerificationQuietly,
  deleteVerifications,
  errors,
  type FoundToken,
  findToken,
  findVerification,
  hasVerification,
  insertVerification,
  sweepVerifications,
  takeVerification,
  useToken,
  verificationCreation,
} from './token-store.ts'

export const tables = { ...tokenTables, ...codeTables }
export const indexes = { ...tokenIndexes, ...codeIndexes }
export const jobs = { ...tokenJobs, ...codeJobs }
export const secretUses = {
  links: { table: 'verification', column: 'identifier', noun: 'link' },
  codes: { table: 'oneTimeCode', column: 'key', noun: 'code' },
} as const

const passwordLinks = ['reset-password', 'set-up'] as const
type PasswordLink = (typeof passwordLinks)[number]

/**
 * The value of a token that is sent to the user's current email address. It contains the address, because a link may be written
 * while the address changes: the change cannot delete a row that it does not see.
 */
export const mailedLinkValue = ({ id, email }: Pick<UserRow, 'id' | 'email'>): string => `${id} ${email}`

/** Finds the user of a valid link, without using the link; null also when it was sent to another address than their current one. */
export async function findLinkUser(app: App, purpose: PasswordLink, token: string): Promise<UserRow | null> {
  return findOwner(app, await findVerification(app, purpose, token))
}

/** Uses a link, in the transaction that sets the password. @returns whether it was a valid link of this user */
export async function usePasswordLink(tx: App, purpose: PasswordLink, token: string, userId: string): Promise<boolean> {
  return (await findOwner(tx, await consumeVerification(tx, purpose, token)))?.id === userId
}

async function findOwner(app: App, value: string | null): Promise<UserRow | null> {
  const [id, email] = value?.split(' ') ?? []
  const user = id === undefined ? null : await findUserById(app, id)
  return email === undefined || email === user?.email ? user : null
}

/** Deletes the open links of a user that set a password. */
export const deletePasswordLinks = (app: App, { userId }: { readonly userId: string }): Promise<void> =>
  deleteVerifications(app, passwordLinks, userId)

async function deleteLinksAndCodes(app: App, user: { readonly userId: string }): Promise<void> {
  await deletePasswordLinks(app, user)
  await deleteCodes(app, user)
}

/**
 * A link or code that a thief requested must not outlive what its owner does to recover the account. But a thief with the session and
 * the password must not end the links of the owner either, by one change of the password after the other: a session ends only links
 * that were sent before it was authenticated, and no codes, which live for minutes.
 */
export const on: Listeners = {
  'password.changed': (app, { userId, sessionSince }) =>
    sessionSince ? deleteVerifications(app, passwordLinks, userId, sessionSince) : deleteLinksAndCodes(app, { userId }),
  'user.email-changed': deleteLinksAndCodes,
  'user.deleted': deleteLinksAndCodes,
  'account.locking': async (app, { userId, isPreview }) => ({
    linksAndCodes: await endPendingAccess(app, userId, isPreview),
  }),
}
