/** Emails with example data under a proposed brand, and their delivery: to test how they arrive. */
import { type App, extend } from '../../core/app.ts'
import type { Reader } from '../../core/message.ts'
import type { Mail } from '../../core/ports.ts'
import { withDeadline } from '../../lib/async.ts'
import { catchMail } from '../mailbox/index.ts'
import { mailExamples } from './mail-kinds.ts'

export type MailExample = Omit<Mail, 'to'> & { readonly kind: string }

/** Every kind of email under other options than those in use, such as a brand that is only proposed. */
export const mailExamplesUnder = (
  app: App,
  config: App['config'],
  locale: Reader['locale'],
  theme?: 'light' | 'dark',
): MailExample[] => mailExamples(extend(app, { config }), locale, theme)

/** A test must not wait for a mail server for long. */
const deliveryTimeoutMs = 20_000

/** Whether emails can be delivered: by a transport, or into the mailbox of development. */
export const canDeliver = ({ mailer, config: { mail } }: Pick<App, 'mailer' | 'config'>): boolean =>
  mailer !== null || (mail.enabled && mail.catch)

/**
 * Delivers an example now, without the outbox, so that its sender learns what the transport says.
 * @throws Error as the transport does
 */
export async function deliverExample(app: App, { kind, ...rendered }: MailExample, to: string): Promise<void> {
  const mail = { to, ...rendered }
  if (app.config.mail.enabled && app.config.mail.catch) return catchMail(app, kind, mail)
  if (!app.mailer) throw new Error('No mail transport is configured')
  await withDeadline(app.mailer.deliver({ ...mail, id: app.random.id() }), deliveryTimeoutMs, 'The delivery timed out')
}
