import { html } from 'hono/html'
import { apiPath } from '../../core/base-url.ts'
import { page } from '../../core/page.ts'
import type { Page } from '../../core/reply.ts'
import type { Config } from '../index.ts'
import type { CaughtMail } from './caught-mails.ts'

export function mailboxPage(config: Config, mails: readonly CaughtMail[]): Page {
  const base = `${apiPath(config)}/mailbox/mail`
  const content = mails.length
    ? mails.map(
        (mail) => html`<article>
<h2>${mail.subject}</h2>
<p>To <strong>${mail.recipient}</strong> · ${mail.createdAt.toISOString().slice(0, 19).replace('T', ' ')} UTC · ${mail.kind}</p>
<iframe src="${base}/${mail.id}" title="${mail.subject}" loading="lazy"></iframe>
<details><summary>As text</summary><pre>${mail.text}</pre></details>
</article>`,
      )
    : html`<p>No mail yet. What would be sent appears here; this page is for development only. Newer mails show when you load it again.</p>`
  return page(config.appName, 'Mailbox', html`${content}`, { wide: true, frames: true })
}
