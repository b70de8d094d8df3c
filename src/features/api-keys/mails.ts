/** The notice of a new API key (ASVS 6.3.7). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { hostedURL } from '../dashboard/index.ts'
import { defineMails, type MailContent, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser } from '../users/index.ts'
import type { ApiKeyRow } from './model.ts'

export interface KeyNotice {
  readonly user: DescribedUser
  /** Its first characters; null when they are not stored. */
  readonly start: string | null
}

export const mails = defineMails({
  'api-key-created': {
    option: ({ apiKey }) => apiKey.sendApiKeyCreated,
    render: ({ start }: KeyNotice, { config }: App): MailContent => {
      const page = hostedURL(config, '/account/api-keys')
      return {
        subject: `An API key for your ${config.appName} account was created`,
        heading: 'An API key was created',
        paragraphs: [
          `An API key${start === null ? '' : ` that starts with ${start}`} was created for your ${config.appName} account. Programs that have the key act for you.`,
        ],
        ...(page !== null && { action: { label: 'Review your API keys', url: page } }),
        footnote:
          "If this was you, you don't need to do anything. If it wasn't, delete the key and change your password: someone else has access to your account.",
      }
    },
  },
})

/** Notifies a user of a key that they created themselves, in its transaction. An unverified address may belong to another person. */
export async function sendKeyNotice(tx: App, user: UserRow, { start }: ApiKeyRow): Promise<void> {
  if (tx.actor.kind !== 'user' || !user.emailVerified) return
  await sendMail(tx, mails['api-key-created'], user.email, { user: describeUser(tx, user), start })
}
