/** One user for each mailbox: `ann+news@gmail.com` and `a.nn@gmail.com` are one (docs/sign-up.md). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { group } from '../../core/config.ts'
import { ApiError } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import type { UserRow } from '../../core/request.ts'
import { isOwnChange, rejectionError, type SignUpRejection, type SignUpRule, errors as signUpErrors } from '../../core/sign-up.ts'
import { internal, nullable, string, unique } from '../../core/table.ts'
import { mailboxOf } from '../../lib/mailbox.ts'
import type { Config } from '../index.ts'
import { fillMailboxes, findOwner, setMailbox, sharedMark } from './mailboxes.ts'

export const config = {
  signUp: group('Who may sign up, by every method (docs/sign-up.md)', {
    oneMailbox: z
      .boolean()
      .default(false)
      .describe(
        'Create one user for each mailbox: addresses that differ only in what their provider ignores, such as dots and tags of Gmail, count as one',
      ),
  }),
}

export const enabled = ({ signUp }: Config): boolean => signUp.oneMailbox

/** Null until the job has read the user. A value without an `@` says that another user had the mailbox first. */
export const tables = { user: { mailbox: internal(nullable(unique(string({ length: 320 })))) } }

/**
 * The user whose email address is another one of the same mailbox, for calls that notify the owner of a known address.
 * @param email in lower case
 * @param except a user who may have another address of their own mailbox
 * @returns null without `signUp.oneMailbox`
 */
export async function findMailboxOwner(app: App, email: string, except?: Pick<UserRow, 'id'>): Promise<UserRow | null> {
  const owner = app.config.signUp.oneMailbox ? await findOwner(app, email) : null
  return owner?.id === except?.id ? null : owner
}

const taken: SignUpRejection = { rejected: 'mailbox-taken', setting: 'signUp.oneMailbox', isFirm: true }

export const admitsSignUp: SignUpRule = {
  rejects: async (app, { email, userId, hidesUsers }) => {
    if (hidesUsers) return null
    const owner = await findOwner(app, email)
    // With the same address they are the same user, which the call says in its own way.
    return owner && owner.id !== userId && owner.email !== email ? taken : null
  },
}

export const on: Listeners = {
  'user.creating': async (tx, { user, decision }) => {
    // With an override, several users may have one mailbox.
    const isShared = decision.waiver && (await findOwner(tx, user.email))
    return { mailbox: (isShared ? null : mailboxOf(user.email)) ?? sharedMark(user.id) }
  },
  // Of imported users.
  'user.created': async (tx, { user }) => {
    if (!user.mailbox) await setMailbox(tx, user)
  },
  'user.email-changed': async (tx, { userId, user }) => {
    const isFree = await setMailbox(tx, user)
    if (!isFree && isOwnChange(tx, userId)) throw rejectionError({}, taken)
  },
  'user.conflicting': async (tx, { userId, columns: { mailbox } }) => {
    const owner = mailbox ? await findOwner(tx, mailbox) : null
    if (owner && owner.id !== userId) throw new ApiError(signUpErrors.SIGN_UP_NOT_ALLOWED)
  },
}

/** Reads users from before the option was set. */
export const jobs: Readonly<Record<string, Job>> = { mailboxes: { every: 60, run: fillMailboxes } }
