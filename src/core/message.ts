/** Emails and text messages as features declare them: by kind, with their texts in every language. */
import type { Config } from '../features/index.ts'
import type { PluralForms } from '../lib/locale.ts'
import type { App } from './app.ts'
import type { Locale } from './preferences.ts'

/** Who reads a message: their language, and the time zone in which times are shown, such as `Europe/Vienna`. */
export interface Reader {
  readonly locale: Locale
  readonly timeZone: string
}

/** What texts need in addition to their data. */
export interface TextContext extends Reader {
  readonly config: Config
  readonly appName: string
  /** `1 hour`, in the language of the reader. @param seconds in whole */
  readonly duration: (seconds: number) => string
  /** `25 November 2026, 03:29 (Europe/Vienna)`, in their language and time zone. @param time in ISO 8601 */
  readonly time: (time: string) => string
  /** Of two sentences that differ by the form of address, the one for the reader. */
  readonly say: (formal: string, informal: string) => string
  /**
   * The form of a text for this count; `#` becomes the number: `plural(2, { one: '# day', other: '# days' })`. Each language has the
   * forms that it needs (CLDR plural rules).
   */
  readonly plural: (count: number, forms: PluralForms) => string
  /** A button to a hosted page, such as `/account/security`; empty when the pages are disabled. */
  readonly button: (page: string, label: string) => Pick<MailContent, 'action'>
  /** `a, b and c`, in the language of the reader. */
  readonly list: (items: readonly string[]) => string
}

type Render<Data, Content> = (data: Data, context: TextContext) => Content

/** The texts of emails in one language, by kind: without one of them, the compiler reports an error. */
export type MailTexts<Mails> = { readonly [K in keyof Mails]: Render<Mails[K], MailContent> }
/** The same of text messages. */
export type ShortTexts<Texts> = { readonly [K in keyof Texts]: Render<Texts[K], string> }

/** A text by locale, in files that are loaded before. */
interface Written<Data, Content> {
  readonly content: (locale: string) => Render<Data, Content>
  readonly load: (locale: string) => Promise<void>
}

/** The content of an email, from which text and HTML are rendered. */
export interface MailContent {
  readonly subject: string
  /** What lists of emails show next to the subject: it says more than the heading does. */
  readonly preheader: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** What happened, as names and values. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly action?: { readonly label: string; readonly url: string }
  readonly footnote?: string
  /** Added by the outbox to a notice: the page that locks the account of the reader. */
  readonly lockURL?: string
}

/** Data of a notice of a security event. */
export interface LockableNotice {
  /** The page with which the reader locks the account; absent: the email address is not verified, or there is no page. */
  readonly lockURL?: string
}

/** A kind of email. Its data must be JSON. */
export interface MailKind<Data = never> extends Written<Data, MailContent> {
  readonly kind: string
  /**
   * Anyone can make it go to any email address: also limited per network, and in all. Absent: so while its user has not verified
   * theirs; false: the call that causes it counts it.
   */
  readonly toStrangers?: boolean
  /** The feature that sends it limits how many a recipient gets, in place of `mailLimit.max`. */
  readonly hasOwnLimit?: true
  /** Its `url` contains a token: the email of Latchkey has a short link that leads to it. */
  readonly hasLink?: boolean
  /**
   * A notice of a security event of an account: its data has the `user`. To a verified email address, the outbox adds the link with which
   * its reader locks the account.
   */
  readonly isNotice?: true
  /** Seconds for which the code in it is valid: an email that is later is not sent. Absent: it is never too late. */
  readonly lifetime?: (config: Config) => number
  /** The option for this kind: a function that sends it, or `false` for no email. Default: Latchkey sends it. */
  readonly option?: (config: Config) => ((data: Data) => unknown) | boolean | undefined
  /** Data for a preview. */
  readonly example: (app: Pick<App, 'config' | 'now'>) => object
}

/** A kind of text message (SMS). Its data must be JSON. */
export interface TextKind<Data = never> extends Written<Data, string> {
  readonly kind: string
  /** The option for this kind: a function that sends it. Default: `sms.send` of the configuration. */
  readonly option?: (config: Config) => ((data: Data) => unknown) | undefined
  /** The code in the text, for providers with templates of their own, and to copy it; empty: it is a notice. */
  readonly code: (data: Data) => string
}
