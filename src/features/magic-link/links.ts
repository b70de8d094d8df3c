/** Magic links: made, sent, found and used (contract 13 §2, §3). */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type App, callOf } from '../../core/app.ts'
import { ApiError, defineErrors, type ErrorEntry } from '../../core/errors.ts'
import type { CallContext } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { runBeforeHooks } from '../../core/write.ts'
import { definedParameters } from '../../lib/objects.ts'
import { plainCode } from '../../lib/text.ts'
import { guardAttempt, guardSharedAttempt, type Proven } from '../attempts/index.ts'
import { hostedURL } from '../dashboard/index.ts'
import type { OtherCode } from '../email-codes/index.ts'
import { codeAccount, codeFor, noteMailUse, noteWrongCode } from '../email-verification/index.ts'
import { findUserByEmail } from '../users/index.ts'
import {
  bindCode,
  browserMarks,
  checkCode,
  createCode,
  deleteCode,
  type FoundToken,
  findCode,
  findToken,
  insertVerification,
  type Requester,
  requesterOf,
  useToken,
  verificationCreation,
} from '../verifications/index.ts'

export const purpose = 'magic-link'

/** What an opened link proves. */
export const proven = { method: purpose, amr: ['email'] } as const
export const longestToken = 200
export const shortestToken = 20
const codeDigits = 6
const codeAttempts = 3

export const errors = defineErrors({
  TOKEN_EXPIRED: [400, 'Token expired'],
  SIGN_UP_IS_DISABLED: [400, 'Sign up is disabled'],
  LINK_OPENED_ELSEWHERE: [403, 'Link opened elsewhere'],
})
/** The catalogue of tokens has the code with another message. */
export const invalidToken: ErrorEntry = { status: 400, code: 'INVALID_TOKEN', message: 'Invalid token' }

export interface Targets {
  readonly callbackURL?: string | undefined
  readonly newUserCallbackURL?: string | undefined
  readonly errorCallbackURL?: string | undefined
}

/** What a link has in common with the code in the same email. */
export interface SharedCode {
  readonly code: string
  /** The secret in a cookie of the browser that asked; null: a program asked. */
  readonly browser: string | null
  /** In seconds. */
  readonly expiresIn: number
}

const storedLink = z.object({
  email: z.string(),
  name: z.string().optional(),
  targets: z.object({
    callbackURL: z.string().optional(),
    newUserCallbackURL: z.string().optional(),
    errorCallbackURL: z.string().optional(),
  }),
  /** A hash of the mark of the browser that asked; null: a program asked. */
  browser: z.string().nullable(),
  requester: z.object({ time: z.string(), device: z.string().nullable(), ipAddress: z.string().nullable() }),
  /** Encrypted for the token: reading it also needs the link. */
  code: z.string(),
})
type StoredLink = z.output<typeof storedLink>

export interface FoundLink extends Omit<StoredLink, 'browser'> {
  readonly row: FoundToken
  readonly isSameBrowser: boolean
  /** Another browser than this one asked for it. A program that asks belongs to no browser. */
  readonly isElsewhere: boolean
}

/** @throws Error when the function of the configuration returns what cannot be a token */
async function makeToken(app: App, email: string): Promise<string> {
  const { generateToken } = app.config.magicLink
  if (!generateToken) return app.random.token(32, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const made: unknown = await generateToken(email)
  if (typeof made !== 'string' || made.length < shortestToken || made.length > longestToken)
    throw new Error(`magicLink.generateToken must return a text of ${shortestToken} to ${longestToken} characters`)
  return made
}

/** The mailed link: a page, on which a person must act before anything happens; without hosted pages the call itself. */
function linkURL({ config }: App, token: string, targets: Targets): string {
  const page = hostedURL(config, '/magic-link')
  const given = page === null ? { ...targets, callbackURL: targets.callbackURL || '/' } : targets
  return `${page ?? `${apiURL(config)}/magic-link/verify`}?${new URLSearchParams(definedParameters({ token, ...given }))}`
}

const hashOf = (mark: string): string => createHash('sha256').update(mark).digest('base64url')

interface NewLink {
  /** In lower case. */
  readonly email: string
  readonly name?: string | undefined
  readonly targets: Targets
  /** Of an email with a code that has a store of its own. Absent: the link gets one. */
  readonly sharedCode?: SharedCode
}

interface PreparedLink {
  /** Of its row, and of the row of its code. */
  readonly id: string
  readonly url: string
  readonly token: string
  readonly code: string
  readonly requester: Requester
  /** Writes the link and its own code, in place of the former code of this browser. */
  readonly store: (tx: App) => Promise<void>
}

/** The code of an email without another one. */
async function ownCode(app: App, email: string): Promise<SharedCode> {
  const ctx = callOf(app)
  const { expiresIn } = app.config.magicLink
  const browser = ctx && bindCode(ctx, 'magic_link', expiresIn)
  return { code: await codeFor(app, email, codeDigits), browser, expiresIn }
}

/**
 * Prepares a link, to be stored once it is known that it is sent. Call it outside a transaction, because a hook may take long.
 * @returns null when a hook rejects it
 */
export async function prepareLink(app: App, { email, name, targets, sharedCode }: NewLink): Promise<PreparedLink | null> {
  const { code, browser, expiresIn } = sharedCode ?? (await ownCode(app, email))
  const [token, requester, user] = [await makeToken(app, email), requesterOf(app), await findUserByEmail(app, email)]
  const sealed = app.keyring.encryptFor(purpose, token, code)
  const value: StoredLink = {
    ...{ email, ...(name !== undefined && { name }), targets: definedParameters({ ...targets }), requester, code: sealed },
    browser: browser && hashOf(browser),
  }
  const given = { purpose, token, value: JSON.stringify(value), expiresIn, ...(user && { subject: user.id }) } as const
  const drafts = await runBeforeHooks(app, [{ ...verificationCreation(app, given), rejection: null }])
  if (!drafts) return null
  const [draft] = drafts
  const { id } = draft
  const store = async (tx: App) => {
    await insertVerification(tx, draft)
    if (browser && !sharedCode) {
      const expiresAt = draft.expiresAt as Date
      await createCode(tx, { id, purpose, name: browser, code, expiresAt, ...(user && { value: user.id }) })
    }
  }
  return { id, url: linkURL(app, token, targets), token, code, requester, store }
}

function read(ctx: CallContext, row: FoundToken | null): FoundLink {
  if (!row) throw new ApiError(invalidToken)
  if (row.isExpired) {
    ctx.metrics.count('sign_in_mail', { kind: purpose, outcome: 'expired' })
    throw new ApiError(errors.TOKEN_EXPIRED)
  }
  const { browser, ...link } = storedLink.parse(JSON.parse(row.value))
  // A link in an email with a code belongs to the browser with the cookie of codes.
  const marks = [...browserMarks(ctx, 'magic_link'), ...browserMarks(ctx, 'email_otp')]
  const isSameBrowser = marks.some((mark) => hashOf(mark) === browser)
  return { ...link, row, isSameBrowser, isElsewhere: browser !== null && !isSameBrowser }
}

/**
 * Finds a link by its token, without using it. Unknown tokens count as failures of their network.
 * @throws ApiError INVALID_TOKEN, TOKEN_EXPIRED, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function findLink(ctx: CallContext, token: string): Promise<FoundLink> {
  const shared = { claim: purpose, networkAddress: ctx.request.networkAddress(), policy: 'perAccount' } as const
  const row = await guardSharedAttempt(ctx, shared, () => findToken(ctx, purpose, { token }))
  if (!row) ctx.subject.hasFailed = true
  return read(ctx, row)
}

/** The links that this browser has asked for and whose code was not used, with the name of the code. */
async function findOwnLinks(ctx: CallContext) {
  const found: { readonly name: string; readonly row: FoundToken; readonly email: string }[] = []
  for (const name of browserMarks(ctx, 'magic_link')) {
    const code = await findCode(ctx, { purpose, name })
    const row = code && (await findToken(ctx, purpose, { id: code.id }))
    if (row) found.push({ name, row, email: storedLink.parse(JSON.parse(row.value)).email })
  }
  return found
}

/** The codes of links to an email address that this browser has asked for, which sign in as codes by email do. */
export async function findOwnCodes(ctx: CallContext, address: string): Promise<OtherCode[]> {
  const { expiresIn } = ctx.config.magicLink
  return (await findOwnLinks(ctx)).flatMap(({ name, email }) => (email === address ? { purpose, name, expiresIn } : []))
}

/**
 * Finds the link that this browser has asked for, by the code in its email.
 * @throws ApiError INVALID_TOKEN, also for a wrong code; TOKEN_EXPIRED, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function findLinkByCode(ctx: CallContext, typed: string): Promise<Proven<FoundLink>> {
  const [own] = await findOwnLinks(ctx)
  if (own) {
    const { name, row, email } = own
    const proven = await guardAttempt(ctx, codeAccount(email), async () => {
      const attempt = await checkCode(ctx, { purpose, name }, plainCode(typed), codeAttempts)
      if (attempt.state === 'right') return attempt
      if (attempt.state !== 'wrong') throw new ApiError(attempt.state === 'expired' ? errors.TOKEN_EXPIRED : invalidToken)
      await noteWrongCode(ctx, purpose, email)
      return null
    })
    if (proven) return { value: read(ctx, row), attempt: proven.attempt }
  }
  ctx.subject.hasFailed = true
  throw new ApiError(invalidToken)
}

/** How long ago a link was requested, in seconds. */
export const secondsSince = (app: App, time: string): number => (app.now().getTime() - Date.parse(time)) / 1000

/** Uses a link, and with it its code. @throws ApiError INVALID_TOKEN when another request was faster */
export async function useLink(tx: App, { row, requester }: FoundLink): Promise<void> {
  await deleteCode(tx, row.id)
  if (!(await useToken(tx, row))) throw new ApiError(invalidToken)
  await noteMailUse(tx, purpose, secondsSince(tx, requester.time))
}
