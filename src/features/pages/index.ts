/** The layout of the plain HTML pages that remain without the hosted ones: no scripts, one inline style, no external files. */
import { createHash } from 'node:crypto'
import { html as markup, raw } from 'hono/html'
import { html, type Page } from '../../core/reply.ts'

const style = `
:root{color-scheme:light dark;--bg:#FBFAF8;--surface:#FFFFFF;--sunken:#F3F1ED;--border:#E4E0D9;--control:#8C857A;--text:#1C1A17;--muted:#5F594F;
--accent:#0B6B61;--on-accent:#FFFFFF;--brass:#8A5A0B;--danger:#B42318}
@media(prefers-color-scheme:dark){:root{--bg:#0F1110;--surface:#161918;--sunken:#0B0D0C;--border:#2B312F;--control:#7C8783;--text:#ECEFED;--muted:#A3ADA9;
--accent:#2DD4BF;--on-accent:#06221E;--brass:#E0A64A;--danger:#F97066}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:400 16px/24px Inter,system-ui,sans-serif}
main{max-width:400px;margin:0 auto;padding:64px 24px}
.mark{display:flex;align-items:center;gap:8px;margin-bottom:32px;color:var(--brass);font-weight:600}
.mark span{color:var(--text)}
h1{margin:0 0 8px;font-size:20px;line-height:28px;font-weight:600}
p{margin:0 0 16px;color:var(--muted)}
strong{color:var(--text);font-weight:500}
code{padding:2px 6px;border-radius:6px;background:var(--sunken);color:var(--text);font:13px/20px "JetBrains Mono",ui-monospace,monospace;overflow-wrap:anywhere}
label{display:block;margin-bottom:4px;font-weight:500}
input{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--control);border-radius:6px;background:var(--surface);color:var(--text);font:inherit}
button,.button{display:inline-block;width:100%;min-height:44px;margin-top:16px;padding:10px 16px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);
font:inherit;font-weight:500;text-align:center;text-decoration:none;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.hint{margin:8px 0 0;font-size:14px;line-height:20px}
.error{margin-bottom:16px;color:var(--danger)}
`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The logo as SVG, a latchkey in the colour of the text around it. */
const logo =
  (): string => `<svg width="28" height="16" viewBox="0 0 28 16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true">
<circle cx="7" cy="8" r="5"/><path d="M12 8h14M20 8v4M25 8v3"/></svg>`

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -6 28 28" fill="none" stroke="#8A5A0B" stroke-width="2.4" stroke-linecap="round"><circle cx="7" cy="8" r="5"/><path d="M12 8h14M20 8v4M25 8v3"/></svg>'

/** The logo in brass as a data URL, so that browsers do not request /favicon.ico. */
const favicon = (): string => `data:image/svg+xml,${encodeURIComponent(icon)}`

/**
 * @param content markup from hono/html, which escapes values
 * @param title of the tab and the heading
 */
export function page(appName: string, title: string, content: ReturnType<typeof markup>): Page {
  const body = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${appName}</title>
<link rel="icon" href="${favicon()}">
<style>${raw(style)}</style>
</head>
<body>
<main>
<div class="mark">${raw(logo())}<span>${appName}</span></div>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return html(String(body), {
    'content-security-policy': contentSecurityPolicy(`style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'`),
  })
}

/** Allows only the given directives, and no embedding in frames (CSP level 3). */
export const contentSecurityPolicy = (directives: string): string =>
  `default-src 'none'; ${directives}; base-uri 'none'; frame-ancestors 'none'`
