/** The layout of emails: one column of 560 px under the logo, one button with its link below, and a text with the same content. */
import { html as markup, raw } from 'hono/html'
import { themes } from '../../core/brand.ts'
import type { MailContent, Reader } from '../../core/message.ts'
import { apiURL } from '../../core/route.ts'
import { type AccentRoles, accentRoles } from '../../lib/color.ts'
import { directionOf, languageTag } from '../../lib/locale.ts'
import { readBranding } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { colonOf, layoutTexts } from './layout-texts.ts'

export type Theme = keyof typeof themes

const colorsOf = ({ grounds: [card, page], ...colors }: (typeof themes)[Theme]) => ({ card, page, ...colors })
const palettes = { light: colorsOf(themes.light), dark: colorsOf(themes.dark) }

function accentOf(config: Config, theme: Theme): AccentRoles {
  const { accent, page, card } = palettes[theme]
  return readBranding(config).accent?.[theme] ?? accentRoles(accent, [page, card])
}

/** Longer images would make an email that some clients cut off. */
const longestImage = 40_000
/**
 * Formats that email programs show: SVG is not among them. An image in a `data:` URL becomes an attachment of what is sent by SMTP; a function of
 * the configuration gets the HTML alone, in which no program would show it.
 */
function isShown({ mail }: Config, logo: string): boolean {
  if (logo.startsWith('https:')) return !/\.svgz?$/i.test(URL.parse(logo)?.pathname ?? '')
  return !mail.send && logo.length <= longestImage && /^data:image\/(png|jpeg|gif)[;,]/.test(logo)
}

function logosOf(config: Config): Readonly<Record<Theme, string>> | null {
  const branding = readBranding(config)
  // That of a file has a path on our origin.
  const absolute = (logo: { readonly url: string } | null) => logo && URL.parse(logo.url, apiURL(config))?.href
  const [logo, logoDark] = [absolute(branding.logo), absolute(branding.logoDark)]
  return logo && logoDark && isShown(config, logo) && isShown(config, logoDark) ? { light: logo, dark: logoDark } : null
}

/** The same content as plain text. */
export function renderText(config: Config, content: MailContent, { locale }: Pick<Reader, 'locale'>): string {
  const { heading, paragraphs, facts = [], action, footnote, lockURL } = content
  const { lockAccount, lockLead } = layoutTexts(config, locale)
  const colon = colonOf(locale)
  const parts = [
    heading,
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}${colon} ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}${colon}\n${action.url}`] : []),
    ...(footnote ? [footnote] : []),
    ...(lockURL ? [`${lockAccount}${colon}\n${lockURL}\n${lockLead}`] : []),
    config.appName,
  ]
  return `${parts.join('\n\n')}\n`
}

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** The style of each element has the light colors; some programs know no other ones. */
function darkRules(config: Config): string {
  const { page, card, border, text, muted } = palettes.dark
  const { fill, onFill, edge, readable } = accentOf(config, 'dark')
  return `.page{background:${page}!important}.card{background:${card}!important;border-color:${border}!important}
.text{color:${text}!important}.muted{color:${muted}!important}.link{color:${readable}!important}
.button{background:${fill}!important;border-color:${edge}!important}.label{background:${fill}!important;color:${onFill}!important}
.on-light{display:none!important}.on-dark{display:inline-block!important}`
}

/** @param theme of a preview; default: that of the email program */
const rulesOf = (config: Config, theme: Theme | undefined): string =>
  theme === 'light' ? '' : theme === 'dark' ? darkRules(config) : `@media(prefers-color-scheme:dark){\n${darkRules(config)}\n}`

/** Fills the line of a list of emails, so that it does not show the start of the email after the preheader. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(60)

const { light } = palettes
const small = `color:${light.muted};font-size:14px;line-height:20px`

/** The logo, or the name; programs that show no images show the name in place of the logo. */
function masthead(config: Config) {
  const name = `color:${light.text};font-size:16px;line-height:32px;font-weight:600`
  const logos = logosOf(config)
  if (!logos) return markup`<p class="text" style="margin:0 0 24px;${name}">${config.appName}</p>`
  const image = (source: string, className: string, hidden = '') =>
    markup`<img class="text ${className}" src="${source}" alt="${config.appName}" height="32" style="height:32px;width:auto;max-width:100%;border:0;${name};${hidden}">`
  const dark = logos.dark === logos.light ? '' : image(logos.dark, 'on-dark', 'display:none;mso-hide:all')
  return markup`<p style="margin:0 0 24px">${image(logos.light, dark ? 'on-light' : '')}${dark}</p>`
}

const factList = (facts: NonNullable<MailContent['facts']>) => markup`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
${facts.map(
  ([name, value]) => markup`<tr>
<td class="muted" valign="top" style="padding:4px 24px 4px 0;${small};white-space:nowrap">${name}</td>
<td class="text" valign="top" style="padding:4px 0;color:${light.text};font-size:14px;line-height:20px;word-break:break-word">${value}</td>
</tr>`,
)}
</table>`

/** Outlook for Windows ignores the padding of links, so the cell has it there. */
function button(config: Config, { label, url }: NonNullable<MailContent['action']>, locale: string) {
  const { fill, onFill, edge, readable } = accentOf(config, 'light')
  return markup`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0;border-collapse:separate"><tr>
<td class="button" align="center" bgcolor="${fill}" style="background:${fill};border:1px solid ${edge};border-radius:6px;mso-padding-alt:10px 20px">
<a class="label" href="${url}" style="display:inline-block;padding:10px 20px;border-radius:5px;background:${fill};color:${onFill};font-size:16px;line-height:24px;font-weight:600;text-decoration:none">${label}</a></td>
</tr></table>
<p class="muted" style="margin:0;${small}">${layoutTexts(config, locale).openLink}<br><a class="link" href="${url}" style="color:${readable};word-break:break-all">${url}</a></p>`
}

/** Not a second button: for most readers it was themselves. */
function lockNote(config: Config, url: string, locale: string) {
  const { readable } = accentOf(config, 'light')
  const { lockAccount, lockLead } = layoutTexts(config, locale)
  return markup`<p class="muted" style="margin:24px 0 0;${small}"><a class="link" href="${url}" style="color:${readable};font-weight:600">${lockAccount}</a><br>${lockLead}</p>`
}

/** @param theme see `rulesOf` */
export function renderHTML(config: Config, content: MailContent, { locale }: Pick<Reader, 'locale'>, theme?: Theme): string {
  const { subject, preheader, heading, paragraphs, facts = [], action, footnote, lockURL } = content
  const schemes = theme ?? 'light dark'
  const isMirrored = directionOf(locale) === 'rtl'
  const body = markup`<!doctype html>
<html lang="${languageTag(locale)}"${isMirrored ? raw(' dir="rtl"') : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${schemes}">
<meta name="supported-color-schemes" content="${schemes}">
<title>${subject}</title>
<style>
:root{color-scheme:${schemes}}
@media(max-width:480px){.page{padding:12px 8px!important}.inside{padding:24px 20px!important}}
${raw(rulesOf(config, theme))}
</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:${light.page};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">${preheader}${raw(filler)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" class="card" width="560" cellpadding="0" cellspacing="0" border="0" bgcolor="${light.card}" style="width:100%;max-width:560px;background:${light.card};border:1px solid ${light.border};border-radius:10px;border-collapse:separate">
<tr><td class="inside text" align="${isMirrored ? 'right' : 'left'}" style="padding:32px;color:${light.text};font:16px/24px ${raw(fonts)};word-break:break-word">
${masthead(config)}
<h1 class="text" style="margin:0 0 16px;color:${light.text};font-size:20px;line-height:28px;font-weight:600">${heading}</h1>
${paragraphs.map((paragraph) => markup`<p style="margin:0 0 16px">${paragraph}</p>`)}
${facts.length > 0 ? factList(facts) : ''}
${action ? button(config, action, locale) : ''}
${footnote ? markup`<p class="muted" style="margin:24px 0 0;${small}">${footnote}</p>` : ''}
${lockURL ? lockNote(config, lockURL, locale) : ''}
</td></tr></table>
<p class="muted" style="margin:16px 0 0;${small};font-family:${raw(fonts)}">${config.appName} · ${new URL(apiURL(config)).host}</p>
</td></tr></table>
</body>
</html>
`
  return String(body)
}
