/**
 * The language and the time zone of users, in which they get emails and text messages. Their browser says them; with `user.locale`, the
 * language is a field of users that clients set and read.
 */
import { z } from 'zod'
import { type App, callOf } from '../../core/app.ts'
import { type ConfigIssue, flagged, group } from '../../core/config.ts'
import type { Listeners } from '../../core/events.ts'
import { settings, type UserFields } from '../../core/feature.ts'
import { localeCookie } from '../../core/preferences.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { hidden, nullable, string, type Tables } from '../../core/table.ts'
import { languageNumbers, readLocale } from '../../lib/locale.ts'
import type { Config } from '../index.ts'

export const area = 'User profile'

export const config = {
  user: group('Users', {
    locale: flagged('The language of users as the field `locale`, which clients set and read', {}),
  }),
}

/** Not `locale` and `timeZone`: many applications have fields of these names. */
const preferredLocale = nullable(string({ length: 35 }))

export const tables = {
  user: {
    preferredLocale: hidden(preferredLocale),
    preferredTimeZone: hidden(nullable(string({ length: 64 }))),
  },
}

const isShown = ({ user }: Config): boolean => user.locale.enabled

export const configuredTables = (config: Config): Tables =>
  isShown(config) ? { user: { preferredLocale: { ...preferredLocale, outputName: 'locale' } } } : {}

export function checkConfig(config: Config): ConfigIssue[] {
  const { additionalFields } = config.user
  const isTaken = Object.entries(additionalFields).some(([name, { fieldName }]) => name === 'locale' || fieldName === 'locale')
  if (!isShown(config) || !isTaken) return []
  return [
    {
      id: 'user-locale-taken',
      path: 'user.additionalFields.locale',
      message: 'With user.locale, users have a field locale already.',
      hint: 'Remove the additional field, or user.locale.',
    },
  ]
}

export const publicSettings = settings({ userLocale: z.boolean() }, (config) => ({ userLocale: isShown(config) }))

const numbers = Object.values(languageNumbers)

/** A tag, or the number of a language, of those that are configured. */
const localeInput = ({ dashboard: { locales } }: Config) =>
  z
    .union([z.string().max(35), z.int()])
    .refine((given) => readLocale(given, locales) !== null, `expected one of ${locales.join(', ')}, or the number of a language`)
    .nullable()
    .optional()
    .meta({ description: `One of ${locales.join(', ')}, or the number of a language: ${numbers.join(', ')}`, examples: ['de'] })

export const userFields: UserFields = {
  shape: (config) => (isShown(config) ? { locale: localeInput(config) } : {}),
  read: async (app, body, source) => {
    if (!isShown(app.config)) return {}
    const { locale } = z.object({ locale: localeInput(app.config) }).parse(body)
    if (locale === undefined) return {}
    const chosen = locale === null ? null : readLocale(locale, app.config.dashboard.locales)
    if (source === 'update' && chosen !== null) rememberChoice(app, chosen)
    return { preferredLocale: chosen }
  },
}

/** A language that the browser has chosen before would win over this one at the next sign-in. */
function rememberChoice(app: App, locale: string): void {
  const ctx = callOf(app)
  const former = ctx?.request.cookie(localeCookie)
  if (!ctx || former === undefined || former === locale) return
  ctx.cookies.set(localeCookie, `${localeCookie}=${locale}; Max-Age=34560000; Path=/; SameSite=Lax`)
}

/** Of a user who signs up. An administrator who creates one says nothing about them. */
function readOwn(app: App, given: string | null | undefined) {
  const { locale, timeZone } = app.preferences()
  return app.actor.kind === 'anonymous' ? { preferredLocale: given ?? locale, preferredTimeZone: timeZone } : null
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
  'user.creating': async (app, { user }) => readOwn(app, user.preferredLocale) ?? {},
  'client.signed-in': async (_, { ctx, current }) => {
    if (!current.session.impersonatedBy) await follow(ctx, current.user)
  },
}
