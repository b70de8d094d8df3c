/** The language and the time zone of users, in which they get emails and text messages. Their browser says them; no call returns them. */
import type { App } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { hidden, nullable, string } from '../../core/table.ts'

/** Not `locale` and `timeZone`: many applications have fields of these names. */
export const tables = {
  user: {
    preferredLocale: hidden(nullable(string({ length: 35 }))),
    preferredTimeZone: hidden(nullable(string({ length: 64 }))),
  },
}

/** Of a user who signs up. An administrator who creates one says nothing about them. */
function readOwn(app: App) {
  const { locale, timeZone } = app.preferences()
  return app.actor.kind === 'anonymous' ? { preferredLocale: locale, preferredTimeZone: timeZone } : null
}

/** What a sign-in changes. The language that a browser prefers says less than one that the user has chosen before. */
function readChanges(app: App, { preferredLocale, preferredTimeZone }: UserRow) {
  const { locale, isChosen, timeZone } = app.preferences()
  return {
    ...(locale !== null && (isChosen || preferredLocale === null) && locale !== preferredLocale && { preferredLocale: locale }),
    ...(timeZone !== null && timeZone !== preferredTimeZone && { preferredTimeZone: timeZone }),
  }
}

async function follow(ctx: CallContext, user: UserRow): Promise<void> {
  const changes = readChanges(ctx, user)
  if (Object.keys(changes).length > 0) await ctx.db.updateTable('user').set(changes).where('id', '=', user.id).execute()
}

export const on: Listeners = {
  'user.creating': async (app) => readOwn(app) ?? {},
  'client.signed-in': async (_, { ctx, current }) => {
    if (!current.session.impersonatedBy) await follow(ctx, current.user)
  },
}
