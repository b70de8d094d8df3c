/** Short links of emails: `…/link/TOKEN` leads to the URL with a token and a target, which would fill several lines of an email. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { RedirectError } from '../../core/errors.ts'
import { anyone } from '../../core/permissions.ts'
import { redirect } from '../../core/reply.ts'
import { apiURL, route } from '../../core/route.ts'
import { hidden, nullable, string, text, unique } from '../../core/table.ts'
import type { Config } from '../index.ts'

const purpose = 'mailed link'

/**
 * Columns of the outbox: a keyed hash of the token, and the URL, encrypted so that reading it needs the token too. An email is kept
 * for longer than its link is valid, so a link that has expired leads to the page that says so.
 */
export const linkColumns = {
  linkHash: hidden(nullable(unique(string({ length: 64 })))),
  linkURL: hidden(nullable(text())),
}

export const shortURL = (config: Config, token: string): string => `${apiURL(config)}/link/${token}`

/** @returns the token of the link, and what the outbox stores of it */
export function createShortLink({ random, keyring }: App, url: string) {
  const token = random.token(24)
  return { token, row: { linkHash: keyring.hash(purpose, token), linkURL: keyring.encryptFor(purpose, token, url) } }
}

async function findURL({ db, keyring }: App, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('outbox')
    .select('linkURL')
    .where('linkHash', 'in', keyring.hashes(purpose, token))
    .executeTakeFirst()
  return row?.linkURL ? keyring.decryptFor(purpose, token, row.linkURL) : null
}

export const routes = {
  'GET /link/:token': route({
    summary: 'Open a link of an email',
    description:
      'Redirects to the URL that a link in an email stands for, such as a verification or reset link. Changes nothing, and works more than once. Redirects to the error page when the link is unknown.',
    access: anyone(),
    params: z.object({ token: z.string().max(64) }),
    returns: z.never(),
    redirects: ['INVALID_TOKEN'],
    handler: async (ctx) => {
      const url = await findURL(ctx, ctx.params.token)
      if (url !== null) return redirect(url)
      ctx.subject.hasFailed = true
      throw new RedirectError(undefined, 'INVALID_TOKEN')
    },
  }),
}
