import { html as markup, raw } from 'hono/html'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { addressWithPassword, type ConfigIssue, callback, group, section } from '../../core/config.ts'
import type { MailContent, MailKind } from '../../core/feature.ts'
import type { IdentifiedMail, Mail } from '../../core/ports.ts'
import type { Config } from '../index.ts'

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

type Template<Data> = (data: Data & Readonly<Record<string, unknown>>) => Pick<Mail, 'subject' | 'text' | 'html'>

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

type Declared<Data = never> = Omit<MailKind<Data>, 'kind'>
type DataOf<M> = M extends { readonly render: (data: infer D, app: App) => unknown } ? D : never

/** Declares the `mails` of a feature by kind. Each kind has a template option (`mailTemplates` in the feature's configuration). */
export const defineMails = <const M extends { readonly [K in MailName]?: Declared }>(
  declared: M,
): { readonly [K in keyof M]: MailKind<DataOf<M[K]>> } =>
  Object.fromEntries(Object.entries(declared).map(([kind, mail]) => [kind, { ...mail, kind }])) as {
    [K in keyof M]: MailKind<DataOf<M[K]>>
  }

/** @throws Error for a kind that no enabled feature declares any more */
export function findKind(app: App, kind: string): MailKind {
  for (const { mails } of app.features) {
    const found = mails && Object.hasOwn(mails, kind) ? mails[kind] : undefined
    if (found) return found
  }
  throw new Error(`Unknown kind of mail: ${kind}`)
}

export function makeMail(app: App, { kind, render }: MailKind, to: string, data: Readonly<Record<string, unknown>>): Mail {
  const templates: Readonly<Record<string, ((data: never) => Omit<Mail, 'to'>) | undefined>> = app.config.mail.templates
  const template = templates[kind]
  if (template) return { to, ...template(data as never) }
  const content = render(data as never, app)
  return { to, subject: content.subject, text: asText(app.config.appName, content), html: asHTML(app.config.appName, content) }
}

/** The layout of our mails: one column of 560 px, one button with its link below, no external resources. */

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** For mail clients with dark mode; others use the light colours in the style of each element. */
const dark = `
@media(prefers-color-scheme:dark){
.page{background:#0F1110!important}.card{background:#161918!important;border-color:#2B312F!important}
.text{color:#ECEFED!important}.muted{color:#A3ADA9!important}.link{color:#2DD4BF!important}
.button{background:#2DD4BF!important;color:#06221E!important}
}`

function asText(appName: string, { heading, paragraphs, action, footnote }: MailContent): string {
  const parts = [
    heading,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(footnote ? [footnote] : []),
    appName,
  ]
  return `${parts.join('\n\n')}\n`
}

function asHTML(appName: string, { subject, heading, paragraphs, action, footnote }: MailContent): string {
  const muted = 'margin:16px 0 0;color:#5F594F;font-size:14px;line-height:20px'
  const body = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(dark)}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#FBFAF8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" class="card" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px;background:#FFFFFF;border:1px solid #E4E0D9;border-radius:10px">
<tr><td class="text" style="padding:32px;color:#1C1A17;font:16px/24px ${raw(fonts)}">
<p class="muted" style="margin:0 0 24px;color:#5F594F;font-weight:600">${appName}</p>
<h1 class="text" style="margin:0 0 16px;color:#1C1A17;font-size:20px;line-height:28px;font-weight:600">${heading}</h1>
${paragraphs.map((paragraph) => markup`<p style="margin:0 0 16px">${paragraph}</p>`)}
${action ? button(action) : ''}
${footnote ? markup`<p class="muted" style="${muted}">${footnote}</p>` : ''}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
  return String(body)
}

const button = ({ label, url }: NonNullable<MailContent['action']>) => markup`<p style="margin:24px 0">
<a class="button" href="${url}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#0B6B61;color:#FFFFFF;font-weight:500;text-decoration:none">${label}</a></p>
<p class="muted" style="margin:0;color:#5F594F;font-size:14px;line-height:20px">Or open this link: <a class="link" href="${url}" style="color:#0B6B61;word-break:break-all">${url}</a></p>`
