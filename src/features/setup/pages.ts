import { html } from 'hono/html'
import { apiPath } from '../../core/base-url.ts'
import { page } from '../../core/page.ts'
import type { Page } from '../../core/reply.ts'
import type { Config } from '../index.ts'

interface Form {
  readonly token: string
  /** Whose password it will be; also what a password manager files it under. */
  readonly email: string
  /** Why the last try was refused. */
  readonly fault: string | undefined
}

export function formPage(config: Config, { token, email, fault }: Form): Page {
  const { minPasswordLength, maxPasswordLength } = config.emailAndPassword
  return page(
    config.appName,
    'Set your password',
    html`<p>Choose the password for <strong>${email}</strong>. This link works once.</p>
${fault ? html`<p class="fault" role="alert" id="fault">${fault.replace(/\.$/, '')}.</p>` : ''}
<form method="post" action="${apiPath(config)}/set-up">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" autocomplete="username" value="${email}" readonly hidden>
<label for="newPassword">New password</label>
<input id="newPassword" name="newPassword" type="password" autocomplete="new-password" required minlength="${minPasswordLength}" maxlength="${maxPasswordLength}" aria-describedby="hint${fault ? ' fault' : ''}">
<p class="hint" id="hint">${minPasswordLength} characters or more.</p>
<button type="submit">Set password</button>
</form>`,
  )
}

export const expiredPage = (config: Config): Page =>
  page(
    config.appName,
    'This link no longer works',
    html`<p>It has been used, or it has expired. Whoever runs this installation can make a new one with:</p>
<p><code>latchkey seed</code></p>`,
  )

export const donePage = (config: Config): Page =>
  page(config.appName, 'Your password is set', html`<p>You can close this page and sign in.</p>`)
