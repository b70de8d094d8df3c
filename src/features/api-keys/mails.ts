/** The notice of a new API key (ASVS 6.3.7). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { hostedURL } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { defineMails, mailKind, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser, exampleUser } from '../users/index.ts'
import type { ApiKeyRow } from './model.ts'

export interface KeyNotice {
  readonly user: DescribedUser
  /** Its first characters; null when they are not stored. */
  readonly start: string | null
}

export const mails = defineMails({
  'api-key-created': mailKind<KeyNotice>({
    option: ({ apiKey }) => apiKey.sendApiKeyCreated,
    content: {
      en: ({ start }, { appName, config }) => ({
        subject: `An API key for your ${appName} account was created`,
        preheader: "Programs that have the key act for you. If you didn't create it, delete it.",
        heading: 'An API key was created',
        paragraphs: [`An API key was created for your ${appName} account. Programs that have the key act for you.`],
        ...(start !== null && { facts: [['Key starts with', start]] as const }),
        ...actionOf(config, 'Review your API keys'),
        footnote:
          "If this was you, you don't need to do anything. If it wasn't, delete the key and change your password: someone else has access to your account.",
      }),
      de: ({ start }, { appName, config, say }) => ({
        subject: say(
          `Ein API-Schlüssel für Ihr Konto bei ${appName} wurde erstellt`,
          `Ein API-Schlüssel für dein Konto bei ${appName} wurde erstellt`,
        ),
        preheader: say(
          'Programme mit dem Schlüssel handeln für Sie. Wenn Sie ihn nicht erstellt haben, löschen Sie ihn.',
          'Programme mit dem Schlüssel handeln für dich. Wenn du ihn nicht erstellt hast, lösche ihn.',
        ),
        heading: 'Ein API-Schlüssel wurde erstellt',
        paragraphs: [
          say(
            `Für Ihr Konto bei ${appName} wurde ein API-Schlüssel erstellt. Programme mit diesem Schlüssel handeln für Sie.`,
            `Für dein Konto bei ${appName} wurde ein API-Schlüssel erstellt. Programme mit diesem Schlüssel handeln für dich.`,
          ),
        ],
        ...(start !== null && { facts: [['Anfang des Schlüssels', start]] as const }),
        ...actionOf(config, 'API-Schlüssel prüfen'),
        footnote: say(
          'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, löschen Sie den Schlüssel und ändern Sie Ihr Passwort: Jemand anderes hat Zugriff auf Ihr Konto.',
          'Wenn du das warst, musst du nichts tun. Wenn nicht, lösche den Schlüssel und ändere dein Passwort: Jemand anderes hat Zugriff auf dein Konto.',
        ),
      }),
    },
    example: (app) => ({ user: exampleUser(app), start: 'lk_4tR9' }),
  }),
})

const actionOf = (config: Config, label: string) => {
  const url = hostedURL(config, '/account/api-keys')
  return url !== null && { action: { label, url } }
}

/** Notifies a user of a key that they created themselves, in its transaction. An unverified address may belong to another person. */
export async function sendKeyNotice(tx: App, user: UserRow, { start }: ApiKeyRow): Promise<void> {
  if (tx.actor.kind !== 'user' || !user.emailVerified) return
  await sendMail(tx, mails['api-key-created'], user, { user: describeUser(tx, user), start })
}
