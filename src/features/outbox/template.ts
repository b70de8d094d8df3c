/** How our mails look: one column of 560 px, text first, one button with its link under it, nothing loaded from elsewhere. */
import { html as markup, raw } from 'hono/html'
import type { MailContent } from '../../core/feature.ts'
import type { Mail } from '../../core/ports.ts'

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** For clients that know of dark mode; the others get the light colours, which stand at each element. */
const dark = `
@media(prefers-color-scheme:dark){
.page{background:#0F1110!important}.card{background:#161918!important;border-color:#2B312F!important}
.text{color:#ECEFED!important}.muted{color:#A3ADA9!important}.link{color:#2DD4BF!important}
.button{background:#2DD4BF!important;color:#06221E!important}
}`

/** @returns subject, and text and HTML that say the same */
export function renderMail(appName: string, content: MailContent): Pick<Mail, 'subject' | 'text' | 'html'> {
  return { subject: content.subject, text: asText(appName, content), html: asHTML(appName, content) }
}

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
