/**
 * What a followed link does (contract 01 §4): read the token, find whose address it is, begin its only use, then confirm the
 * address or put the new one in its place. A link followed again gives the same answer and changes nothing: mail scanners
 * open links, and people click twice.
 */
import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import { afterUpdate } from '../../core/database-hooks.ts'
import type { CurrentIdentity, Identity, IncomingRequest, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { guardAttempt } from '../attempts/index.ts'
import { reissueSession, startSession } from '../sessions/index.ts'
import { draftUserUpdate, findUserByEmail, findUserById, updateUser, userRecord } from '../users/index.ts'
import { beginUse, endUse, giveUseBack } from '../verifications/index.ts'
import { canVerify, sendVerificationMail } from './mails.ts'
import { type EmailToken, readEmailToken } from './tokens.ts'

export const linkFaults = ['token_expired', 'invalid_token', 'user_not_found', 'unauthorized', 'email_already_exists'] as const
type Fault = { readonly fault: (typeof linkFaults)[number] }
/** The user whose address was replaced; null when one was confirmed. */
type Outcome = Fault | { readonly user: UserRow | null }

interface Following extends App {
  readonly request: IncomingRequest
  readonly cookies: CookieJar
  readonly identify: () => Identity | null
}

/** Seconds; the second mail of a change has no option of its own (contract 07). */
const secondMailExpiresIn = 3600

/** @param callbackURL where the mail to a new address leads in the end */
export async function followLink(ctx: Following, token: string, callbackURL: string | undefined): Promise<Outcome> {
  const read = await readGuarded(ctx, token)
  if ('fault' in read) return read
  const user = await findUserByEmail(ctx, read.email)
  if (!user) return { fault: 'user_not_found' }
  return read.updateTo === undefined
    ? confirmAddress(ctx, user, read)
    : replaceAddress(ctx, user, read, read.updateTo, callbackURL)
}

/** A token that is not ours is a guess, and counted; one that came too late is none. */
async function readGuarded(ctx: Following, token: string): Promise<EmailToken | Fault> {
  const read = await guardAttempt(
    ctx,
    'verify-email',
    async () => {
      const found = await readEmailToken(ctx, token)
      return 'fault' in found && found.fault === 'invalid_token' ? null : found
    },
    { shared: 'perAccount' },
  )
  return read ?? { fault: 'invalid_token' }
}

const findCaller = async (ctx: Following): Promise<CurrentIdentity | null> => (await ctx.identify()?.find(ctx.cookies)) ?? null

/** @returns what `work` returns; what it makes of the token is given back when it fails */
async function useOnce<T extends object>(app: App, { name }: EmailToken, work: () => Promise<T | Fault>): Promise<T | Fault> {
  try {
    const done = await work()
    if ('fault' in done) await giveUseBack(app, name)
    return done
  } catch (error) {
    await giveUseBack(app, name)
    throw error
  }
}

async function confirmAddress(ctx: Following, user: UserRow, token: EmailToken): Promise<Outcome> {
  const isFirst = await beginUse(ctx, token.name)
  const confirmed = isFirst ? await useOnce(ctx, token, () => writeConfirmation(ctx, user, token)) : user
  if ('fault' in confirmed) return confirmed
  // Beyond the use of the link: what fails from here on does not undo it.
  if (isFirst) await afterUpdate(ctx, 'user', confirmed)
  if (!ctx.config.emailVerification.autoSignInAfterVerification) return { user: null }
  const caller = await findCaller(ctx)
  if (caller?.user.id === user.id) await reissueSession(ctx, { session: caller.session, user: confirmed })
  else if (isFirst) await startSession(ctx, confirmed)
  return { user: null }
}

async function writeConfirmation(ctx: Following, user: UserRow, token: EmailToken): Promise<UserRow | Fault> {
  await ctx.config.emailVerification.onEmailVerification?.(userRecord(user))
  const columns = await draftUserUpdate(ctx, { emailVerified: true })
  return transaction(ctx, async (app) => {
    await endUse(app, token.name, token.expiresAt)
    return (await updateUser(app, user.id, columns, user.email)) ?? { fault: 'user_not_found' as const }
  })
}

async function replaceAddress(
  ctx: Following,
  user: UserRow,
  token: EmailToken,
  email: string,
  callbackURL: string | undefined,
): Promise<Outcome> {
  const caller = await findCaller(ctx)
  if (caller?.user.id !== user.id) return { fault: 'unauthorized' }
  if (!(await beginUse(ctx, token.name))) return { user: await findUserById(ctx, user.id) }
  const replaced = await useOnce(ctx, token, () => writeAddress(ctx, user, token, email, callbackURL))
  if ('fault' in replaced) return replaced
  await afterUpdate(ctx, 'user', replaced)
  await reissueSession(ctx, { session: caller.session, user: replaced })
  return { user: replaced }
}

async function writeAddress(
  ctx: Following,
  user: UserRow,
  token: EmailToken,
  email: string,
  callbackURL: string | undefined,
): Promise<UserRow | Fault> {
  if (await findUserByEmail(ctx, email)) return { fault: 'email_already_exists' }
  const columns = await draftUserUpdate(ctx, { email, emailVerified: false })
  try {
    return await transaction(ctx, async (app) => {
      await endUse(app, token.name, token.expiresAt)
      const updated = await updateUser(app, user.id, columns, user.email)
      if (!updated) return { fault: 'user_not_found' as const }
      if (canVerify(ctx)) await sendVerificationMail(app, updated, { callbackURL, expiresIn: secondMailExpiresIn })
      return updated
    })
  } catch (error) {
    if (ctx.database.isUniqueViolation(error)) return { fault: 'email_already_exists' }
    throw error
  }
}
