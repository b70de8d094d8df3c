/** The kinds of email: their options, and the email that Latchkey makes of one. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { addressWithPassword, type ConfigIssue, callback, group, section } from '../../core/config.ts'
import type { MailKind, Reader } from '../../core/message.ts'
import type { IdentifiedMail, Mail } from '../../core/ports.ts'
import type { MailFiles } from '../../core/text-files.ts'
import { languageTag } from '../../lib/locale.ts'
import type { Config } from '../index.ts'
import { lockPageURL } from './lock-page.ts'
import { renderHTML, renderText, type Theme } from './mail-layout.ts'
import { writeMail } from './own-messages.ts'
import { shortURL } from './short-link.ts'

const description = 'Mail'

type Send = (mail: IdentifiedMail & { readonly from: string }) => unknown

export const config = {
  mail: section(description, {
    from: z.string().min(3).max(320).optional().describe('Sender, such as Acme <no-reply@acme.example>'),
    smtp: addressWithPassword(z.string().optional()).describe(
      'smtp://user:password@host:587 (STARTTLS) or smtps://host:465; SMTP_URL sets it if the file does not',
    ),
    tls: z
      .enum(['verify', 'off'])
      .optional()
      .describe('`verify`: TLS with a verified certificate, the default for every host except loopback; `off`: no TLS'),
    ca: z.string().optional().describe('Path of a PEM file with the certificate authority to trust'),
    send: callback<Send>().optional().describe('Function that delivers each email instead of SMTP'),
    catch: z
      .boolean()
      .default(false)
      .describe('Store emails and show them on the hosted page /mailbox instead of sending them; for development'),
  }),
}

/** `locale`, `timeZone`: of the reader. */
type Template<Data> = (data: Data & Reader & Readonly<Record<string, unknown>>) => Pick<Mail, 'subject' | 'text' | 'html'>

const template = <Data>(contains: string) =>
  callback<Template<Data>>().optional().describe(`Function that renders the email ${contains}`)

/** The option of a feature for mails of one kind: a function that sends them, or `false`. @param link such as 'verification link' */
export const mailSender = <Data>(link: string) =>
  z
    .union([z.boolean(), callback<(mail: Data) => unknown>()])
    .optional()
    .describe(`Function that sends the ${link}; \`false\` disables it. Default: the built-in email, if mail is configured`)

/**
 * Declares the template options of a feature's mails: the part of its `config` for them. `Mails`: the data of each kind.
 * @param contents by kind, such as 'with the reset link'
 */
export function mailTemplates<Mails>(contents: { readonly [K in keyof Mails & string]: string }) {
  type Templates = { readonly [K in keyof Mails & string]: ReturnType<typeof template<Mails[K]>> }
  const templates = Object.fromEntries(Object.entries<string>(contents).map(([kind, contains]) => [kind, template(contains)]))
  return { mail: section(description, { templates: group('Custom templates, by kind of email', templates as Templates) }) }
}

/** The kinds of mail that features declare. */
type MailName = keyof Config['mail']['templates']

export function checkConfig({ mail }: Config): ConfigIssue[] {
  if (!mail.enabled) return []
  const issues: ConfigIssue[] = []
  if (!mail.from && !mail.catch) {
    issues.push({
      id: 'mail-from-missing',
      path: 'mail.from',
      message: 'The sender of emails is missing.',
      hint: 'Set mail.from, such as Acme <no-reply@acme.example>.',
    })
  }
  if (mail.from && /[\r\n]/.test(mail.from))
    issues.push({ id: 'mail-from-form', path: 'mail.from', message: 'The sender must be one line.' })
  if (!mail.smtp && !mail.send && !mail.catch) {
    issues.push({
      id: 'mail-transport-missing',
      path: 'mail',
      message: 'No mail transport is configured.',
      hint: 'Set mail.smtp or SMTP_URL, or mail.send.',
    })
  }
  if (mail.smtp && !/^smtps?:$/.test(URL.parse(mail.smtp)?.protocol ?? '')) {
    issues.push({ id: 'mail-smtp-form', path: 'mail.smtp', message: 'Expected smtp://host:587 or smtps://host:465.' })
  }
  return issues
}

/** Of the key that encrypts contents. */
export const purpose = 'outbox'

/** What a feature declares of a kind of email; its texts are in files. */
type Declared<Data> = Omit<MailKind<Data>, 'kind' | 'content' | 'load' | 'example'> & {
  readonly example: (app: Pick<App, 'config' | 'now'>) => Data
}

/**
 * Declares `mails` of a feature by kind. Each kind has a template option (`mailTemplates` in the feature's configuration).
 * @param files with the texts of each kind
 */
export const defineMails = <Mails, K extends keyof Mails & MailName>(
  files: MailFiles<Mails>,
  declared: { readonly [Kind in K]: NoInfer<Declared<Mails[Kind]>> },
): { readonly [Kind in K]: MailKind<Mails[Kind]> } =>
  Object.fromEntries(
    Object.entries(declared as Readonly<Record<string, object>>).map(([kind, mail]) => [
      kind,
      { ...mail, kind, content: (locale: string) => files.mail(kind as K, locale), load: files.load },
    ]),
  ) as never

/** @throws Error for a kind that no enabled feature declares any more */
export function findKind(app: Pick<App, 'features'>, kind: string): MailKind {
  const found = findKnownKind(app, kind)
  if (!found) throw new Error(`Unknown kind of mail: ${kind}`)
  return found
}

/** The same for a stored email; null when its feature is not enabled any more. */
export function findKnownKind({ features }: Pick<App, 'features'>, kind: string): MailKind | null {
  for (const { mails } of features) {
    const found = mails && Object.hasOwn(mails, kind) ? mails[kind] : undefined
    if (found) return found
  }
  return null
}

interface RenderOptions extends Reader {
  /** Of the short link in place of the `url` of the data; null: the `url` itself. */
  readonly linkToken?: string | null
  /** Of a preview; default: that of the email program. */
  readonly theme?: Theme | undefined
}

type RenderedMail = Omit<Mail, 'to'>

/** Renders an email by its template of the configuration, or as Latchkey writes it. @throws whatever the template throws */
export function makeMail(
  { config }: Pick<App, 'config'>,
  { kind, content }: MailKind,
  data: Readonly<Record<string, unknown>>,
  { linkToken, theme, ...reader }: RenderOptions,
): RenderedMail {
  const templates: Readonly<Record<string, ((data: never) => RenderedMail) | undefined>> = config.mail.templates
  const template = templates[kind]
  if (template) return template({ ...data, ...reader } as never)
  const shown = linkToken ? { ...data, url: shortURL(config, linkToken) } : data
  const { lockURL } = data
  const written = writeMail({ config }, kind, shown, reader, (context) => content(reader.locale)(shown as never, context))
  const made = typeof lockURL === 'string' ? { ...written, lockURL } : written
  const rendered = { text: renderText(config, made, reader), html: renderHTML(config, made, reader, theme) }
  return { subject: made.subject, ...rendered, locale: languageTag(reader.locale) }
}

const exampleToken = 'Zk2p0vXnq7Lw4tR9sYb1cE6h'

interface PreviewOptions extends Partial<Reader> {
  readonly theme?: Theme
}

/**
 * Renders an email of one kind with data that the kind has for previews.
 * @param options default: the first language, UTC, and the theme of the reader
 * @throws Error for an unknown kind; whatever a template of the configuration throws
 */
export function renderMail(app: App, kind: string, options: PreviewOptions = {}): RenderedMail {
  const { locale = app.config.dashboard.locales[0] ?? 'en', timeZone = 'UTC', theme } = options
  const declared = findKind(app, kind)
  const linkToken = declared.hasLink ? exampleToken : null
  const lockURL = declared.isNotice ? lockPageURL(app.config, exampleToken) : null
  const data = { ...declared.example(app), ...(lockURL !== null && { lockURL }) }
  return makeMail(app, declared, data, { locale, timeZone, linkToken, theme })
}

/** Every kind of email of the enabled features, rendered for a preview. */
export const mailExamples = (app: App, locale: Reader['locale'], theme?: Theme): (RenderedMail & { readonly kind: string })[] =>
  app.features
    .flatMap(({ mails = {} }) => Object.keys(mails))
    .map((kind) => ({ kind, ...renderMail(app, kind, { locale, ...(theme && { theme }) }) }))
