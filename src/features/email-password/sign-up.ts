import { z } from 'zod'
import { type App, isUnavailable } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { callbackURL, longText } from '../../core/schemas.ts'
import { requireSignUp, type SignUpDecision, errors as signUpErrors } from '../../core/sign-up.ts'
import { keepOrUndo, respondFirst, transaction } from '../../core/transaction.ts'
import { runBeforeHooks, write } from '../../core/write.ts'
import type { AccountDraft } from '../accounts/index.ts'
import { canVerify, decoyVerificationMail, sendVerificationMail } from '../email-verification/index.ts'
import { findMailboxOwner } from '../one-mailbox/index.ts'
import { decoyMail, defineMails, sendMail } from '../outbox/index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { prepareNewUser, signIn } from '../sessions/index.ts'
import {
  findUserByEmail,
  imageURL,
  readUserFields,
  typedEmail,
  type UserDraft,
  type UserView,
  errors as userErrors,
} from '../users/index.ts'
import { newUserWithPassword, signInMethod } from './credentials.ts'
import { textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'account-exists': {
    toStrangers: true,
    example: () => ({}),
  },
})

export const signUpBody = z.object({
  name: longText,
  email: typedEmail,
  password: z.string(),
  image: imageURL.nullable().optional(),
  callbackURL: callbackURL.nullable().optional(),
  rememberMe: z.boolean().optional(),
})
type SignUpInput = z.output<typeof signUpBody>

/**
 * Creates a user with a password, and sends the verification link if one is needed.
 * @param input validated; it may contain additional fields
 * @throws ApiError USER_ALREADY_EXISTS, `<field> is required`, VALIDATION_ERROR, those of `checkNewPassword` and `newUserWithPassword`
 */
export async function signUp(app: App, input: SignUpInput): Promise<UserRow> {
  if (await findUserByEmail(app, input.email)) throw new ApiError(userErrors.USER_ALREADY_EXISTS)
  return createFromInput(app, input, await readUserFields(app, input, 'create'))
}

const way = { method: signInMethod.name } as const

/**
 * Rejects a sign-up that the policy does not admit, before anything says whether the email address is known.
 * @throws ApiError SIGN_UP_NOT_ALLOWED
 */
export const requireAdmission = (app: App, email: string): Promise<SignUpDecision> =>
  requireSignUp(app, { ...way, email: email.toLowerCase(), hidesUsers: app.config.emailAndPassword.antiEnumeration })

/** A concurrent sign-up was faster: with the email address, or with another one of its mailbox. */
const taken = [userErrors.USER_ALREADY_EXISTS, signUpErrors.SIGN_UP_NOT_ALLOWED].map(({ code }) => code)

interface SignedUp {
  readonly user: UserRow
  readonly session: SessionView | null
}

/**
 * The same with a session, in one transaction: a sign-up that failed must not have created a user, with whom the next try would
 * collide. When a feature may challenge new users, the user is created first, and exists whatever the challenge leads to.
 * @returns `session` is null when the database became unavailable after the user was created
 * @throws ApiError also FAILED_TO_CREATE_SESSION
 */
export async function signUpAndIn(ctx: CallContext, input: SignUpInput): Promise<SignedUp> {
  if (await findUserByEmail(ctx, input.email)) throw new ApiError(userErrors.USER_ALREADY_EXISTS)
  const { creations, insertAndSend, id } = await prepareUser(ctx, input, await readUserFields(ctx, input, 'create'))
  // The hook may query the user, or what the after-hook of users has created, so it is called after their commit.
  const isLater = ctx.config.databaseHooks.session.create.before !== undefined
  const entry = isLater ? null : await prepareNewUser(ctx, id, proofOf(input), options)
  if (!entry) return signInLater(ctx, await write(ctx, creations, insertAndSend), input)
  const created = await write(ctx, [...creations, entry.session.creation], async (tx, userDraft, accountDraft, draft) =>
    entry.session.insert(tx, draft, await insertAndSend(tx, userDraft, accountDraft)),
  )
  return { user: created.user, session: await entry.finish(created) }
}

/**
 * Signs up without revealing whether the email address was known (ASVS 6.3.8): its owner is notified by email, and the response is
 * built from the input. The same checks and before-hooks run for known and unknown email addresses.
 * @throws ApiError what `signUp` throws, except USER_ALREADY_EXISTS
 */
export async function signUpQuietly(app: App, input: SignUpInput): Promise<UserView> {
  const { name, email, image = null, callbackURL } = input
  const { creations, insert } = await prepareUser(app, input, await readUserFields(app, input, 'create'))
  const drafts = await runBeforeHooks(app, creations)
  // Again for the draft, whose email address a hook may have changed.
  const decision = await requireSignUp(app, { ...way, email: drafts[0].email, hidesUsers: true })
  const create = () => createOrNotify(app, drafts, (...given) => insert(...given, decision), callbackURL)
  await create().catch((error: unknown) => {
    if (!(error instanceof ApiError) || !taken.includes(error.entry.code)) throw error
    // A concurrent sign-up was faster.
    return create()
  })
  const now = app.now()
  return { id: drafts[0].id, name, email: email.toLowerCase(), image, emailVerified: false, createdAt: now, updatedAt: now }
}

/**
 * Creates the user, or notifies the owner of the email address. Both take the same statements: those that create the user are
 * undone when there is an owner, so that errors of unique columns are the same too.
 */
async function createOrNotify(
  app: App,
  [userDraft, accountDraft]: readonly [UserDraft, AccountDraft],
  insert: (tx: App, userDraft: UserDraft, accountDraft: AccountDraft) => Promise<UserRow>,
  callbackURL: SignUpInput['callbackURL'],
): Promise<void> {
  const [known, sameMailbox] = [await findUserByEmail(app, userDraft.email), await findMailboxOwner(app, userDraft.email)]
  const owner = known ?? sameMailbox
  // No email address has this form, so that the draft of an owner's email address never exists already.
  const email = owner ? app.random.token(userDraft.email.length) : userDraft.email
  const insertOne = (tx: App) => insert(tx, { ...userDraft, email }, accountDraft)
  await transaction(app, (tx) =>
    respondFirst(tx, async (inner) => {
      const inserted = await keepOrUndo(inner, !owner, insertOne)
      await sendQuietMails(inner, owner, { ...inserted, email: userDraft.email }, callbackURL)
    }),
  )
}

/** Both emails count for the recipient in both cases, so that the count does not reveal which of them was sent. */
async function sendQuietMails(
  tx: App,
  owner: UserRow | null,
  user: UserRow,
  callbackURL: SignUpInput['callbackURL'],
): Promise<void> {
  await (owner ? sendMail : decoyMail)(tx, mails['account-exists'], owner ?? user, {})
  await (owner ? decoyVerificationMail : sendVerificationMail)(tx, user, { callbackURL })
}

async function signInLater(ctx: CallContext, user: UserRow, input: SignUpInput): Promise<SignedUp> {
  const session = await signIn(ctx, user, proofOf(input), options).catch((error: unknown) => {
    if (!isUnavailable(ctx, error)) throw error
    ctx.log.warn({ err: error, userId: user.id }, 'A user signed up without a session: the database became unavailable')
    return null
  })
  return { user, session }
}

const options = { rejectionStatus: 400 } as const
const proofOf = ({ rememberMe = true, callbackURL }: SignUpInput) => ({
  ...({ kind: 'new-user', method: signInMethod.name, amr: ['pwd'] } as const),
  ...{ remember: rememberMe, callbackURL: callbackURL ?? undefined },
})

async function createFromInput(app: App, input: SignUpInput, fields: object): Promise<UserRow> {
  const { creations, insertAndSend } = await prepareUser(app, input, fields)
  return write(app, creations, insertAndSend)
}

/** Checks and hashes the password. `insertAndSend` also sends the verification link, if one is needed, in the same transaction. */
async function prepareUser(app: App, input: SignUpInput, fields: object) {
  const { name, email, password, image = null, callbackURL } = input
  await checkNewPassword(app, password, { email, name })
  const { requireEmailVerification } = app.config.emailAndPassword
  const sendsLink = (requireEmailVerification || app.config.emailVerification.sendOnSignUp) && canVerify(app)
  const created = newUserWithPassword(app, { name, email, image, fields }, await app.hasher.hash(password))
  const insertAndSend = async (tx: App, ...drafts: readonly [UserDraft, AccountDraft]): Promise<UserRow> => {
    const user = await created.insert(tx, ...drafts)
    if (sendsLink) await sendVerificationMail(tx, user, { callbackURL })
    return user
  }
  return { ...created, insertAndSend }
}
