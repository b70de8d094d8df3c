import type { Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Mail } from '../../core/ports.ts'
import type { Database } from '../index.ts'

export type CaughtMail = Selectable<Database['caughtMail']>

/** Mails that are shown; older ones stay in the table. */
const shown = 100

export async function catchMail(app: App, kind: string, { to, subject, text, html }: Mail): Promise<void> {
  const mail = { id: app.random.id(), kind, recipient: to, subject, text, html, createdAt: app.now() }
  await app.db.insertInto('caughtMail').values(mail).execute()
}

/** Newest first. */
export const listCaughtMails = (app: App): Promise<CaughtMail[]> =>
  app.db.selectFrom('caughtMail').selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(shown).execute()

export async function findCaughtMail(app: App, id: string): Promise<CaughtMail | null> {
  return (await app.db.selectFrom('caughtMail').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}
