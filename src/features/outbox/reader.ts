/** In which language and time zone a recipient reads. */
import type { App } from '../../core/app.ts'
import type { Reader, TextContext } from '../../core/message.ts'
import { closestLocale, formatDuration, formatTime, isInformal, isTimeZone, languageTag, pluralOf } from '../../lib/locale.ts'
import { hostedURL } from '../dashboard/index.ts'

/** A user, or an email address of which nothing more is known. */
export interface Recipient {
  readonly email: string
  readonly id?: string
  readonly emailVerified?: boolean
  readonly preferredLocale?: string | null
  readonly preferredTimeZone?: string | null
}

/**
 * The preferences of the user when they are known, else those of the client of the call. In a call of the user themselves, the language that they
 * have just chosen on a page comes first.
 * @returns null for what is not known
 */
export function findReader(app: App, { id, preferredLocale, preferredTimeZone }: Omit<Recipient, 'email'>) {
  const { actor } = app
  const client = app.preferences()
  const isOwn = actor.kind === 'user' && actor.userId === id && actor.impersonatedBy === undefined
  const isOther = actor.kind === 'user' && !isOwn
  return {
    locale: (isOwn && client.isChosen ? client.locale : null) ?? preferredLocale ?? client.locale,
    // The time zone of an administrator or a member would show where they are.
    timeZone: (isOwn ? client.timeZone : null) ?? preferredTimeZone ?? (isOther ? null : client.timeZone),
  }
}

/** A recipient for work after the call, which does not know its client. */
export function withReader<R extends Recipient>(app: App, recipient: R): R {
  const { locale, timeZone } = findReader(app, recipient)
  return { ...recipient, preferredLocale: locale, preferredTimeZone: timeZone }
}

/** The reader of a stored message. A language that is not configured any more is the default one, and so is none. */
export function readerOf(
  { config: { dashboard } }: Pick<App, 'config'>,
  stored: { readonly locale: string | null; readonly timeZone: string | null },
): Reader {
  const [first = 'en'] = dashboard.locales
  const isKnown = stored.timeZone !== null && isTimeZone(stored.timeZone)
  return {
    locale: closestLocale(stored.locale ?? '', dashboard.locales) ?? first,
    timeZone: isKnown && stored.timeZone !== null ? stored.timeZone : 'UTC',
  }
}

export const textContext = ({ config }: Pick<App, 'config'>, reader: Reader): TextContext => ({
  ...reader,
  config,
  appName: config.appName,
  duration: (seconds) => formatDuration(seconds, languageTag(reader.locale)),
  time: (time) => formatTime(new Date(time), languageTag(reader.locale), reader.timeZone),
  say: (formal, informal) => (isInformal(reader.locale) ? informal : formal),
  plural: (count, forms) => pluralOf(languageTag(reader.locale), count, forms),
  button: (page, label) => {
    const url = hostedURL(config, page)
    return url === null ? {} : { action: { label, url } }
  },
  list: (items) => new Intl.ListFormat(languageTag(reader.locale)).format(items),
})
