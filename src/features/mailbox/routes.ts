import { z } from 'zod'
import { ApiError, errors } from '../../core/errors.ts'
import { html } from '../../core/reply.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { findCaughtMail, listCaughtMails } from './caught-mails.ts'
import { mailboxPage } from './page.ts'

const mail = z.object({
  id: z.string(),
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  createdAt: isoDate,
})

export const routes = {
  'GET /mailbox': route({
    summary: 'A page with the mails that were kept',
    access: 'public',
    returns: z.never(),
    undocumented: true,
    handler: async (ctx) => mailboxPage(ctx.config, await listCaughtMails(ctx)),
  }),
  'GET /mailbox/list': route({
    summary: 'The mails that were kept, newest first',
    access: 'public',
    returns: z.object({ mails: z.array(mail) }),
    handler: async (ctx) => ({ mails: await listCaughtMails(ctx) }),
  }),
  'GET /mailbox/mail/:id': route({
    summary: 'One mail as it would look',
    access: 'public',
    params: z.object({ id: z.string() }),
    returns: z.never(),
    undocumented: true,
    handler: async (ctx) => {
      const found = await findCaughtMail(ctx, ctx.params.id)
      if (!found) throw new ApiError(errors.NOT_FOUND)
      // A template of the installation may hold anything: it is shown, and runs nothing. Only our own page may frame it.
      const policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
      // Inside the frame our own pages would refuse to open.
      const opened = found.html.replaceAll(/<a\s/g, '<a target="_blank" rel="noopener" ')
      return html(opened, { 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' })
    },
  }),
}
