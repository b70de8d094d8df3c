/** The development mailbox: stores emails and text messages instead of sending them, for the hosted page `/mailbox`. */
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
import { boolean, id, index, maxTextBytes, nullable, string, text, timestamp } from '../../core/table.ts'
import { isLoopback } from '../../lib/ip.ts'
import { cutToBytes } from '../../lib/text.ts'
import { pageSources as logoSources, requireOwnPage } from '../dashboard/index.ts'
import type { Config, Database } from '../index.ts'

export function checkConfig({ mail, sms, environment, server }: Config): ConfigIssue[] {
  if (environment === 'development') return isLoopback(server.host) ? [] : [exposed]
  const messages = (of: string) => `Anyone who can reach the API could read the ${of} of every user.`
  const issues: ConfigIssue[] = []
  if (mail.enabled && mail.catch) {
    const issue = { id: 'mail-catch-in-production', path: 'mail.catch', message: messages('emails') }
    issues.push({ ...issue, hint: 'Use mail.smtp, or environment: "development".' })
  }
  if (sms.catch) {
    const issue = { id: 'sms-catch-in-production', path: 'sms.catch', message: messages('text messages') }
    issues.push({ ...issue, hint: 'Use sms.send, or environment: "development".' })
  }
  return issues
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
    isText: boolean({ default: false }),
    /** The code in a text message. */
    code: nullable(string({ length: 64 })),
    createdAt: timestamp(),
  },
}

export const indexes = { caughtMail: [index('createdAt')] }

type CaughtMail = Selectable<Database['caughtMail']>

const maxListedMails = 100

/** A template of the configuration may write texts of any length. */
const cut = (text: string): string => cutToBytes(text, maxTextBytes)

export async function catchMail(app: App, kind: string, { to, subject, text, html }: Mail): Promise<void> {
  const content = { subject: cut(subject), text: cut(text), html: cut(html) }
  const mail = { id: app.random.id(), kind, recipient: to, ...content, createdAt: app.now() }
  await app.db.insertInto('caughtMail').values(mail).execute()
}

interface CaughtText {
  readonly to: string
  readonly text: string
  readonly code: string
}

export async function catchText(app: App, kind: string, { to, text, code }: CaughtText): Promise<void> {
  const content = { kind, recipient: to, subject: '', text: cut(text), html: '', isText: true, code: code || null }
  await app.db
    .insertInto('caughtMail')
    .values({ id: app.random.id(), ...content, createdAt: app.now() })
    .execute()
}

/** The newest mails, newest first. */
const listCaughtMails = (app: App): Promise<CaughtMail[]> =>
  app.db.selectFrom('caughtMail').selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(maxListedMails).execute()

const caughtMail = viewOf<typeof tables.caughtMail>(tables.caughtMail)

export const routes = {
  'GET /mailbox/list': route({
    summary: 'List caught emails',
    description:
      'Returns the emails and text messages (`isText`) that Latchkey caught instead of sending, newest first. For programs and the hosted pages: fails for pages of other origins.',
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
      const images = ['data:', ...logoSources(ctx.config)['img-src']].join(' ')
      const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox`
      // Our own pages refuse to open inside a frame.
      const opened = found.html.replaceAll(/<a\s/g, '<a target="_blank" rel="noopener" ')
      return html(opened, { 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' })
    },
  }),
}

export const on: Listeners = {
  'user.erasing': async (app, { user }) => {
    const recipients = [user.email, ...(user.phoneNumber ? [user.phoneNumber] : [])]
    await app.db.deleteFrom('caughtMail').where('recipient', 'in', recipients).execute()
  },
}

export const area = 'Development'

export const enabled = ({ mail, sms }: Config) => (mail.enabled && mail.catch) || sms.catch

export const publicSettings = settings({ mailbox: z.boolean() }, (config) => ({ mailbox: enabled(config) }))

/** The mailbox shows each email in a frame. */
export const pageSources = () => ({ 'frame-src': ["'self'"] })
