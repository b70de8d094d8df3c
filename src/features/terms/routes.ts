/** The calls with which users read, accept, postpone and decline documents. */
import { z } from 'zod'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import { anyone, optionalSession, session } from '../../core/permissions.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { transaction } from '../../core/transaction.ts'
import { errors as sessionErrors, shownToken } from '../sessions/index.ts'
import { userView } from '../users/index.ts'
import { acceptDocuments, currentAmong, postponeDocuments, recordDecline } from './acceptance.ts'
import {
  clearTermsCookie,
  describeDocument,
  describeDue,
  documentView,
  dueView,
  endPending,
  findPending,
  type PendingTerms,
  requirePending,
  resumePending,
} from './challenge.ts'
import { documentPage } from './document-page.ts'
import { documentsInForce, dueFor, mayPostpone, readDocuments } from './documents.ts'
import { errors } from './model.ts'

export const challengeToken = z
  .string()
  .max(100)
  .optional()
  .describe('The `token` of the challenge, in place of its cookie')
  .meta({ examples: ['terms-aBcDeFgHiJkLmNoPqRsT'] })

/** As a body has them. Versions that are not in force do not fail a sign-up: the sign-in then demands the right ones. */
export const acceptedVersions = z
  .record(z.string().max(40), z.string().max(40))
  .refine((versions) => Object.keys(versions).length <= 20, 'Expected at most 20 documents')
  .meta({ description: 'The version of each document that the user accepts', examples: [{ privacy: '2027-01', terms: '3' }] })

const answered = z.object({
  status: z.literal(true),
  token: z.string().optional().meta({ description: 'Of the session of a sign-in that has waited' }),
  user: userView.optional(),
  redirect: z.boolean().optional(),
  url: z.string().optional().meta({ description: 'The `callbackURL` of the sign-in' }),
})

const waits = 'With a sign-in that waits, completes it and sets the session cookie.'

function responseOf(ctx: CallContext, { proof: { callbackURL } }: PendingTerms, { session, user }: SessionAndUser) {
  const target = callbackURL === undefined ? {} : { redirect: true, url: callbackURL }
  return { status: true as const, token: shownToken(ctx, session), user, ...target }
}

/** The user of the sign-in that waits, else of the session. @throws ApiError INVALID_TERMS_COOKIE */
async function userOf(ctx: CallContext & { readonly user: UserRow | null }, token: string | undefined) {
  const pending = await findPending(ctx, token)
  if (pending) return { pending, user: pending.user }
  if (ctx.user) return { pending: null, user: ctx.user }
  clearTermsCookie(ctx)
  throw new ApiError(errors.INVALID_TERMS_COOKIE)
}

const succeeded = z.object({ status: z.literal(true) })
const rateLimit = { window: 10, max: 10 }
const ownAcceptance = z.object({
  document: z.string().meta({ examples: ['privacy'] }),
  version: z.string().meta({ examples: ['2027-01'] }),
  hash: z.string().nullable(),
  acceptedAt: isoDate,
  ipAddress: z.string().nullable(),
  device: z.string().nullable(),
})

const readRoutes = {
  'GET /terms/documents': route({
    summary: 'List terms',
    description:
      'Returns the documents of the configuration, each with its version in force, and the versions that take effect later. For sign-up pages: send the versions in force as `terms` of the sign-up.',
    access: anyone(),
    returns: z.object({
      documents: z.array(documentView),
      announced: z.array(documentView).describe('Versions that are not in force yet'),
    }),
    handler: (ctx) => {
      const isLater = ({ requiredFrom }: { requiredFrom: string | null }) =>
        requiredFrom !== null && new Date(requiredFrom) > ctx.now()
      return {
        documents: documentsInForce(ctx).map(describeDocument),
        announced: readDocuments(ctx.config).documents.filter(isLater).map(describeDocument),
      }
    },
  }),
  'GET /terms/document': route({
    summary: 'Open the text of a document',
    description: 'Responds with the text of a version of a document that the configuration has as a file, as an HTML page.',
    access: anyone(),
    undocumented: true,
    query: z.object({ id: z.string().max(40), version: z.string().max(40) }),
    returns: z.unknown(),
    errors: [errors.TERMS_DOCUMENT_NOT_FOUND],
    handler: ({ config, query: { id, version } }) => {
      const found = readDocuments(config).documents.find((document) => document.id === id && document.version === version)
      if (!found?.file) throw new ApiError(errors.TERMS_DOCUMENT_NOT_FOUND)
      return documentPage({ ...found, file: found.file })
    },
  }),
  'GET /terms/pending': route({
    summary: 'List terms to accept',
    description:
      'Returns the documents in force that the user has not accepted, of a sign-in that waits, or of the current user. Fails without either.',
    access: optionalSession(),
    acceptsPending: ['terms'],
    rejectsApiKeys: true,
    query: z.object({ challengeToken }),
    returns: z.object({
      email: z.string(),
      documents: z.array(dueView),
      postpone: z.boolean().describe('Whether the user may postpone them'),
      expiresIn: z.int().nullable().describe('Seconds for which the sign-in waits; null: of the current user'),
    }),
    errors: [errors.INVALID_TERMS_COOKIE],
    handler: async (ctx) => {
      const { pending, user } = await userOf(ctx, ctx.query.challengeToken)
      const due = dueFor(ctx, user)
      return {
        ...{ email: user.email, documents: describeDue(user, due), postpone: pending !== null && mayPostpone(ctx, user, due) },
        expiresIn: pending && Math.floor((pending.expiresAt.getTime() - ctx.now().getTime()) / 1000),
      }
    },
  }),
  'GET /terms/acceptances': route({
    summary: 'List accepted terms',
    description: 'Returns which versions of documents the current user has accepted, and when and from where; newest first.',
    access: session(),
    rejectsApiKeys: true,
    returns: z.object({ acceptances: z.array(ownAcceptance) }),
    handler: async ({ db, user }) => {
      const own = db.selectFrom('termsAcceptance').select(['document', 'version', 'hash', 'acceptedAt', 'ipAddress', 'device'])
      const ordered = own.where('userId', '=', user.id).orderBy('acceptedAt', 'desc').orderBy('document').limit(1000)
      return { acceptances: await ordered.execute() }
    },
  }),
}

const answerRoutes = {
  'POST /terms/accept': route({
    summary: 'Accept terms',
    description: `Accepts versions of documents, which must be in force. ${waits} It needs all documents that are due.`,
    access: optionalSession(),
    acceptsPending: ['terms'],
    rejectsApiKeys: true,
    signsIn: ['first-factor', 'new-user'],
    body: z.object({ terms: acceptedVersions, challengeToken }),
    returns: answered,
    errors: [errors.INVALID_TERMS_COOKIE, errors.TERMS_VERSION_IS_NOT_CURRENT, sessionErrors.FAILED_TO_CREATE_SESSION],
    rateLimit,
    handler: async (ctx) => {
      const { terms, challengeToken: token } = ctx.body
      const { pending, user } = await userOf(ctx, token)
      const accepted = currentAmong(ctx, terms)
      const isEvery = !pending || dueFor(ctx, user).every((due) => accepted.includes(due))
      if (!isEvery || accepted.length < Object.keys(terms).length) throw new ApiError(errors.TERMS_VERSION_IS_NOT_CURRENT)
      if (pending) return responseOf(ctx, pending, await resumePending(ctx, pending, (tx) => acceptDocuments(tx, user, accepted)))
      await transaction(ctx, (tx) => acceptDocuments(tx, user, accepted))
      return { status: true as const }
    },
  }),
  'POST /terms/postpone': route({
    summary: 'Postpone terms',
    description: `${waits} The next sign-in asks again. Fails when the documents that are due cannot be postponed any more.`,
    access: anyone(),
    acceptsPending: ['terms'],
    signsIn: ['first-factor', 'new-user'],
    body: z.object({ challengeToken }).optional(),
    returns: answered,
    errors: [errors.INVALID_TERMS_COOKIE, errors.TERMS_CANNOT_BE_POSTPONED, sessionErrors.FAILED_TO_CREATE_SESSION],
    rateLimit,
    handler: async (ctx) => {
      const pending = await requirePending(ctx, ctx.body?.challengeToken)
      const due = dueFor(ctx, pending.user)
      if (!mayPostpone(ctx, pending.user, due)) throw new ApiError(errors.TERMS_CANNOT_BE_POSTPONED)
      return responseOf(ctx, pending, await resumePending(ctx, pending, (tx) => postponeDocuments(tx, pending.user, due)))
    },
  }),
  'POST /terms/decline': route({
    summary: 'Decline terms',
    description:
      'Records that the user declines what is due. A sign-in that waits gets no session; until it expires, the user may export their data, delete their account, or accept after all.',
    access: optionalSession(),
    acceptsPending: ['terms'],
    rejectsApiKeys: true,
    body: z.object({ challengeToken }).optional(),
    returns: succeeded,
    errors: [errors.INVALID_TERMS_COOKIE],
    rateLimit,
    handler: async (ctx) => {
      const { user } = await userOf(ctx, ctx.body?.challengeToken)
      const due = dueFor(ctx, user)
      if (due.length > 0) await transaction(ctx, (tx) => recordDecline(tx, user, due))
      return { status: true as const }
    },
  }),
  'POST /terms/cancel': route({
    summary: 'Cancel a sign-in that waits for terms',
    description: 'Ends the sign-in that waits, if there is one, without an answer.',
    access: anyone(),
    acceptsPending: ['terms'],
    body: z.object({ challengeToken }).optional(),
    returns: succeeded,
    responseHeaders: writesCookies,
    rateLimit,
    handler: async (ctx) => {
      const pending = await findPending(ctx, ctx.body?.challengeToken)
      clearTermsCookie(ctx)
      if (pending) await endPending(ctx, pending)
      return { status: true as const }
    },
  }),
}

export const userRoutes = { ...readRoutes, ...answerRoutes }
