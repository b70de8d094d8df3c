/** The text of a document as a page that works everywhere, without scripts and without anything from other origins. */
import { html, type Page } from '../../core/reply.ts'
import { escapeHTML, markdownToHTML, plainTextToHTML } from '../../lib/markdown.ts'
import type { Kind, TermsDocument } from './documents.ts'

const style = `:root{color-scheme:light dark}
body{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem;font:16px/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2,h3{line-height:1.25}`

const bodies: Readonly<Record<Exclude<Kind, 'html'>, (text: string) => string>> = {
  markdown: markdownToHTML,
  text: plainTextToHTML,
}

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox",
  // The text of a version does not change.
  'cache-control': 'public, max-age=3600',
}

/** An HTML file is sent as it is; its scripts do not run. */
export function documentPage({ id, version, title, file }: TermsDocument & { readonly file: object }): Page {
  const { kind, text } = file as NonNullable<TermsDocument['file']>
  if (kind === 'html') return html(text, headers)
  const name = typeof title === 'string' ? title : (title.en ?? Object.values(title)[0] ?? id)
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHTML(`${name} (${version})`)}</title><style>${style}</style>`
  return html(`<!doctype html><html><head>${head}</head><body><main>${bodies[kind](text)}</main></body></html>`, headers)
}
