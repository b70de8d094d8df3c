/** What the calls of magic links do (contract 13 §2, §3). */
import type { App } from '../../core/app.ts'
import { ApiError, findRefusal, RedirectError } from '../../core/errors.ts'
import { redirect } from '../../core/reply.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { admitsSignUp } from '../../core/sign-up.ts'
import { respondFirst, transaction } from '../../core/transaction.ts'
import { definedParameters } from '../../lib/objects.ts'
import { findCredentialAccount } from '../accounts/index.ts'
import type { Attempt } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import { provePassword } from '../email-password/index.ts'
import { countCodeRequest, isStranger, mailDelay, signInByMailbox } from '../email-verification/index.ts'
import { decoyMail, sendMail } from '../outbox/index.ts'
import { shownToken } from '../sessions/index.ts'
import { findUserByEmail, readUserFields } from '../users/index.ts'
import { hasCode, errors as tokenErrors } from '../verifications/index.ts'
import {
  errors,
  type FoundLink,
  findLink,
  findLinkByCode,
  invalidToken,
  prepareLink,
  proven,
  purpose,
  secondsSince,
  type Targets,
  useLink,
} from './links.ts'
import { mails } from './mails.ts'

interface LinkRequest extends Targets {
  readonly email: string
  readonly name?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

interface LinkUse {
  readonly token?: string | undefined
  readonly code?: string | undefined
  readonly password?: string | undefined
  readonly rememberMe?: boolean | undefined
}

/** Sends a link to an email address, which may be unknown. @throws ApiError FAILED_TO_CREATE_VERIFICATION */
export async function requestLink(ctx: CallContext & { readonly body: LinkRequest }): Promise<void> {
  const { name, metadata, callbackURL, newUserCallbackURL, errorCallbackURL } = ctx.body
  const email = ctx.body.email.toLowerCase()
  const user = await findUserByEmail(ctx, email)
  const mayBeNew =
    !ctx.config.magicLink.disableSignUp && (await admitsSignUp(ctx, { method: proven.method, email }, user !== null))
  const isNeeded = user !== null || mayBeNew
  const targets = { callbackURL, newUserCallbackURL, errorCallbackURL }
  const link = await prepareLink(ctx, { email, name, targets })
  if (!link) throw new ApiError(tokenErrors.FAILED_TO_CREATE_VERIFICATION)
  const { store, url, token, code, requester } = link
  const data = { email, url, token, code, ...requester, ...(metadata && { metadata }) }
  await transaction(ctx, (tx) =>
    respondFirst(tx, async (inner) => {
      const hasRoom = await countCodeRequest(inner, purpose, email)
      // Beyond the limit nothing is stored either: the code that was sent before stays valid.
      if (hasRoom) await store(inner)
      const isSent = hasRoom && isNeeded
      await (isSent ? sendMail : decoyMail)(inner, mails['magic-link'], user ?? { email }, data)
      const target = isSent && user ? { target: { type: 'user', id: user.id } } : {}
      await recordEvent(inner, { action: 'magic-link.requested', ...target })
    }),
  )
  if (isNeeded) ctx.metrics.count('sign_in_mail', { kind: purpose, outcome: 'sent' })
}

interface Use extends Targets {
  readonly link: FoundLink
  readonly reply: 'json' | 'redirect'
  readonly remember?: boolean
  /** Of the code by which the link was found. */
  readonly attempt?: Attempt | undefined
  readonly isKnown?: boolean
}

/**
 * Signs in with a link: uses it, creates the user or verifies their address, and creates the session.
 * @throws ApiError SIGN_UP_IS_DISABLED, INVALID_TOKEN, those of a sign-in and of a new user; EndOfCall
 */
async function signInByLink(ctx: CallContext, { link, reply, remember = true, attempt, isKnown, ...targets }: Use) {
  const { email, name = '' } = link
  const newUser = async () => ({ name, fields: await readUserFields(ctx, {}, 'create') })
  const { newUserCallbackURL, errorCallbackURL: errorURL } = targets
  const targetOf = (isNew: boolean) => (isNew && newUserCallbackURL) || targets.callbackURL || undefined
  const details = { sameBrowser: link.isSameBrowser, ...mailDelay(secondsSince(ctx, link.requester.time)) }
  const given = { ...proven, remember, reply, errorURL, details, attempt }
  const use = async (tx: App, userId: string) => {
    await useLink(tx, link)
    if (link.isElsewhere) await recordEvent(tx, { action: 'magic-link.opened-elsewhere', target: { type: 'user', id: userId } })
  }
  const arrived = await signInByMailbox(ctx, email, {
    newUser: ctx.config.magicLink.disableSignUp ? null : newUser,
    use,
    proof: (isNew) => ({ ...given, callbackURL: targetOf(isNew) }),
    ...(isKnown !== undefined && { isKnown }),
  })
  if (!arrived) throw new ApiError(errors.SIGN_UP_IS_DISABLED)
  const { session, user, isNew } = arrived
  return {
    callbackURL: targetOf(isNew),
    signedIn: { token: shownToken(ctx, session), user, session: { ...session, token: shownToken(ctx, session) } },
  }
}

/** Whether a GET may use a link: mail scanners open each link, also in browsers that run scripts, and must not (contract 13 §3). */
function mayOpen({ config, request, headers }: CallContext, link: FoundLink | null): boolean {
  if (hostedPath(config, '/magic-link') === null) return true
  if (request.header('sec-purpose')?.includes('prefetch')) return false
  if (link?.isSameBrowser) return true
  const site = request.header('sec-fetch-site')
  const isJSON = request.header('accept')?.includes('application/json') === true
  // Any page may ask for JSON, so that a program is recognized by what only browsers send. Node's `fetch` sends a mode, but no site.
  const isBrowser = ['sec-fetch-site', 'sec-fetch-dest', 'origin'].some((name) => request.header(name) !== undefined)
  if (!isBrowser) return isJSON
  const isScript = site === undefined ? isJSON : ['cors', 'same-origin'].includes(request.header('sec-fetch-mode') ?? '')
  // Only responses to trusted origins have this header.
  return isScript && (site === 'same-origin' || 'access-control-allow-origin' in headers)
}

/** @throws ApiError LINK_OPENED_ELSEWHERE when a link signs in only the browser that asked */
function requireAllowed({ config }: App, { isElsewhere }: FoundLink): void {
  if (isElsewhere && config.magicLink.otherBrowser !== 'confirm') throw new ApiError(errors.LINK_OPENED_ELSEWHERE)
}

export const redirectCodes: Readonly<Record<string, string>> = {
  INVALID_TOKEN: 'INVALID_TOKEN',
  TOKEN_EXPIRED: 'EXPIRED_TOKEN',
  SIGN_UP_IS_DISABLED: 'new_user_signup_disabled',
  SIGN_UP_NOT_ALLOWED: 'signup_not_allowed',
  LINK_OPENED_ELSEWHERE: 'link_opened_elsewhere',
  BANNED_USER: 'banned',
  ACCOUNT_LOCKED: 'account_locked',
  SIGN_IN_FROZEN: 'sign_in_frozen',
  SIGN_UP_FROZEN: 'sign_up_frozen',
  FAILED_TO_CREATE_SESSION: 'failed_to_create_session',
}

/** Stands for the codes of hooks. */
export const hookCode = '<error>'

/** @throws RedirectError for what ends a link, with the code that a hook gave; the rest as it is */
function redirectFailure({ config }: App, targets: Targets, error: unknown): never {
  const refusal = findRefusal(error)
  const entry = refusal ?? (error instanceof ApiError ? error.entry : null)
  if (!entry || entry.status === 429 || entry.status >= 500) throw error
  const target = targets.errorCallbackURL || targets.callbackURL || '/'
  const code = refusal?.code ?? redirectCodes[entry.code] ?? 'failed_to_create_user'
  const options = { cause: error, ...(refusal && { family: hookCode }) }
  throw new RedirectError(new URL(target, apiURL(config)).href, code, options)
}

/** Opens a link by a GET. @throws RedirectError */
export async function openLink(ctx: CallContext & { readonly query: Targets & { readonly token: string } }) {
  const { token, ...targets } = ctx.query
  ctx.headers['referrer-policy'] = 'no-referrer'
  const work = async () => {
    const found = await findLink(ctx, token).catch((error: unknown) =>
      error instanceof ApiError ? error : Promise.reject(error),
    )
    const link = found instanceof ApiError ? null : found
    if (!mayOpen(ctx, link))
      return redirect(`${hostedPath(ctx.config, '/magic-link')}?${new URLSearchParams(definedParameters({ ...ctx.query }))}`)
    if (found instanceof ApiError) throw found
    requireAllowed(ctx, found)
    const reply = targets.callbackURL || targets.newUserCallbackURL ? 'redirect' : 'json'
    const { callbackURL, signedIn } = await signInByLink(ctx, { link: found, reply, ...targets })
    return callbackURL === undefined ? signedIn : redirect(callbackURL)
  }
  return work().catch((error: unknown) => redirectFailure(ctx, targets, error))
}

/** Signs in by a POST. @throws ApiError */
export async function useLinkOrCode(ctx: CallContext & { readonly body: LinkUse }) {
  const { token, code, password, rememberMe: remember = true } = ctx.body
  const { value: link, attempt } =
    token === undefined ? await findLinkByCode(ctx, code ?? '') : { value: await findLink(ctx, token) }
  if (token !== undefined) requireAllowed(ctx, link)
  const known = password === undefined ? null : await findUserByEmail(ctx, link.email)
  const proven = known && password !== undefined ? await provePassword(ctx, known, password) : null
  const use = {
    link,
    reply: 'json',
    remember,
    attempt: attempt ?? proven?.attempt,
    isKnown: proven !== null,
    ...link.targets,
  } as const
  const { callbackURL, signedIn } = await signInByLink(ctx, use)
  return { ...signedIn, redirect: callbackURL !== undefined, ...(callbackURL !== undefined && { url: callbackURL }) }
}

/** How the page of a link must ask, when another person may have signed up with the address. */
async function proofOf(ctx: CallContext, user: UserRow | null) {
  const ends = ctx.config.emailVerification.revokeEarlierAccess !== false
  const needsProof = ends && user !== null && (await isStranger(ctx, user))
  const hasPassword =
    needsProof && ctx.config.emailAndPassword.enabled && Boolean((await findCredentialAccount(ctx, user.id))?.password)
  return { needsProof, hasPassword }
}

/** What the page of a link must know; uses nothing. @throws ApiError INVALID_TOKEN, also when only its code would work, and does not; TOKEN_EXPIRED */
export async function previewLink(ctx: CallContext, token: string) {
  const link = await findLink(ctx, token)
  const { email, isSameBrowser: sameBrowser, isElsewhere, requester } = link
  const user = await findUserByEmail(ctx, email)
  const current = await ctx.identify({ refresh: false })
  const { otherBrowser } = ctx.config.magicLink
  // A code that was replaced would be entered in vain.
  const showsCode = isElsewhere && otherBrowser !== 'refuse' && (await hasCode(ctx, link.row.id))
  if (isElsewhere && otherBrowser === 'code' && !showsCode) throw new ApiError(invalidToken)
  return {
    ...{ email, requestedAt: requester.time, device: requester.device, sameBrowser, isNewUser: user === null },
    otherBrowser: isElsewhere ? otherBrowser : ('confirm' as const),
    ...(await proofOf(ctx, user)),
    current: current && { email: current.user.email },
    code: showsCode ? ctx.keyring.decryptFor(purpose, token, link.code) : null,
  }
}
