/** The outbox for operators: who gets which kind of email when, but never its content. */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { invalidQuery } from '../../core/pages.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { errors as searchErrors } from '../../core/search.ts'
import { findMails, mailState, retryMails } from '../outbox/index.ts'
import { errors, isAdministered as exists } from './errors.ts'

const mailView = z
  .object({
    id: z.string(),
    kind: z.string().meta({ examples: ['reset-password'] }),
    recipient: z.string().describe('Email address'),
    state: mailState,
    attempts: z.int(),
    lastError: z.string().nullable().describe('Code or name of the last error, without its message'),
    createdAt: isoDate,
    nextAttemptAt: isoDate.nullable(),
    sentAt: isoDate.nullable(),
    failedAt: isoDate.nullable(),
  })
  .meta({ title: 'Mail' })

const listQuery = z.object({
  state: mailState.optional().describe('Only emails in this state'),
  kind: z.string().min(1).max(64).optional().describe('Only emails of this kind'),
  recipient: z.string().min(1).max(320).optional().describe('Only emails to this address'),
  limit: z.coerce.number().int().min(1).max(1000).default(50).describe('Number of rows'),
  cursor: z.string().max(1024).optional().describe('`nextCursor` of the previous page'),
})

export const mailRoutes = {
  'GET /admin/list-mails': route({
    summary: 'List outgoing emails',
    description:
      'Returns a page of emails, newest first, without their content. A page of several filters may have fewer emails than `limit`, also none, while `nextCursor` is not null. Sent emails are deleted after 7 days, and failed ones stay until they are retried. Only for users whose role permits `mail:list`.',
    access: permission({ mail: ['list'] }),
    exists,
    query: listQuery,
    returns: z.object({
      mails: z.array(mailView),
      nextCursor: z.string().nullable().describe('Null: the last page'),
      kinds: z.array(z.string()).describe('All kinds of email that can be sent'),
      waiting: z.int().describe('Number of waiting emails, 10,000 at most'),
      failed: z.int().describe('Number of failed emails, 10,000 at most'),
    }),
    errors: [invalidQuery, searchErrors.SEARCH_TOO_SLOW],
    handler: async (ctx) => {
      const kinds = ctx.features.flatMap(({ mails = {} }) => Object.keys(mails)).sort()
      return { ...(await findMails(ctx, ctx.query)), kinds }
    },
  }),
  'POST /admin/retry-mail': route({
    summary: 'Retry failed emails',
    description:
      'Sends one failed email now; without an ID, puts all failed emails into the outbox again, which sends them after the response. Only for users whose role permits `mail:retry`.',
    access: permission({ mail: ['retry'] }),
    exists,
    body: z.object({ id: z.string().min(1).max(36).optional().describe('Default: all failed emails') }),
    returns: z.object({
      found: z.int().describe('Number of emails that were put into the outbox again'),
      sent: z.int().describe('Number of emails that were sent before the response'),
    }),
    errors: [errors.FAILED_EMAIL_NOT_FOUND],
    handler: async (ctx) => {
      const { id = null } = ctx.body
      const result = await retryMails(ctx, id, id === null ? 'later' : 'now')
      if (id !== null && result.found === 0) throw new ApiError(errors.FAILED_EMAIL_NOT_FOUND)
      return result
    },
  }),
}
