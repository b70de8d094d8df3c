/** The development mailbox: stores emails instead of sending them, for the hosted page `/mailbox`. */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { ConfigIssue } from '../../core/config.ts'
import { ApiError, errors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import { anyone } from '../../core/permissions.ts'
import type { Mail } from '../../core/ports.ts'
import { html } from '../../core/reply.ts'
import { route } from '../../core/route.ts'
import { viewOf } from '../../core/schemas.ts'
import { id, index, string, text, timestamp } from '../../core/table.ts'
import { isLoopback } from '../../lib/ip.ts'
import { requireOwnPage } from '../dashboard/index.ts'
import type { Config, Database } from '../index.ts'

export function checkConfig({ mail, environment, server }: Config): ConfigIssue[] {
  if (!mail.catch) return []
  if (environment === 'development') return isLoopback(server.host) ? [] : [exposed]
  const message = 'Anyone who can reach the API could read the emails of every user.'
  return [{ id: 'mail-catch-in-production', path: 'mail.catch', message, hint: 'Use mail.smtp, or environment: "development".' }]
}

const exposed: ConfigIssue = {
  id: 'mail-catch-exposed',
  path: 'server.host',
  message: 'Anyone on the network could read the emails of every user, which the mailbox shows.',
  hint: 'Listen on 127.0.0.1, or set mail.smtp instead of mail.catch.',
}

export const tables = {
  caughtMail: {
    id: id(),
    kind: string({ length: 64 }),
    recipient: string({ length: 320 }),
    subject: text(),
    text: text(),
    html: text(),
    createdAt: timestamp(),
  },
}

export const indexes = { caughtMail: [index('createdAt')] }

type CaughtMail = Selectable<Database['caughtMail']>

const maxListedMails = 100

export async function catchMail(app: App, kind: string, { to, subject, text, html }: Mail): Promise<void> {
  const mail = { id: app.random.id(), kind, recipient: to, subject, text, html, createdAt: app.now() }
  await app.db.insertInto('caughtMail').values(mail).execute()
}

/** The newest mails, newest first. */
const listCaughtMails = (app: App): Promise<CaughtMail[]> =>
  app.db.selectFrom('caughtMail').selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(maxListedMails).execute()

const caughtMail = viewOf<typeof tables.caughtMail>(tables.caughtMail)

export const routes = {
  'GET /mailbox/list': route({
    summary: 'List caught emails',
    description:
      'Returns the emails that Latchkey caught instead of sending, newest first. For programs and the hosted pages: fails for pages of other origins.',
    access: anyone(),
    returns: z.object({ mails: z.array(caughtMail) }),
    handler: async (ctx) => {
      requireOwnPage(ctx)
      return { mails: await listCaughtMails(ctx) }
    },
  }),
  'GET /mailbox/mail/:id': route({
    summary: 'View a caught email',
    access: anyone(),
    params: z.object({ id: z.string() }),
    returns: z.never(),
    undocumented: true,
    handler: async (ctx) => {
      const found = await ctx.db.selectFrom('caughtMail').selectAll().where('id', '=', ctx.params.id).executeTakeFirst()
      if (!found) throw new ApiError(errors.NOT_FOUND)
      // A template of the configuration may contain anything, so the page runs no script. Only the mailbox may frame it.
      const policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
      // Our own pages refuse to open inside a frame.
      const opened = found.html.replaceAll(/<a\s/g, '<a target="_blank" rel="noopener" ')
      return html(opened, { 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' })
    },
  }),
}

export const on: Listeners = {
  'user.erasing': async (app, { user }) => {
    await app.db.deleteFrom('caughtMail').where('recipient', '=', user.email).execute()
  },
}

export const area = 'Development'

export const enabled = ({ mail }: Config) => mail.enabled && mail.catch

export const publicSettings = settings({ mailbox: z.boolean() }, (config) => ({ mailbox: enabled(config) }))

/** The mailbox shows each email in a frame. */
export const pageSources = () => ({ 'frame-src': ["'self'"] })
