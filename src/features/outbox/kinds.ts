import type { App } from '../../core/app.ts'
import type { MailKind } from '../../core/feature.ts'
import type { Mail } from '../../core/ports.ts'
import { renderMail } from './template.ts'

/** Of the key under which contents are hidden. */
export const purpose = 'outbox'

function findKind(app: App, kind: string): MailKind | null {
  for (const { mails } of app.features) {
    const found = mails && Object.hasOwn(mails, kind) ? mails[kind] : undefined
    if (found) return found
  }
  return null
}

/** The function of the configuration that sends this kind in our place; null when we do. */
export const findCallback = (app: App, kind: string) => findKind(app, kind)?.callback(app.config) ?? null

/** @throws Error for a kind that no enabled feature declares any more */
export function makeMail(app: App, kind: string, to: string, data: Readonly<Record<string, unknown>>): Mail {
  const template = app.config.mail.templates[kind]
  if (template) return { to, ...template(data) }
  const declared = findKind(app, kind)
  if (!declared) throw new Error(`There is no mail of the kind ${kind}`)
  return { to, ...renderMail(app.config.appName, declared.render(data as never, app)) }
}
