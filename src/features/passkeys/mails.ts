/** Notices of passkeys that were added, removed or suspended, to verified email addresses; of new ones to verified numbers too. */
import type { App } from '../../core/app.ts'
import type { TextContext } from '../../core/message.ts'
import type { UserRow } from '../../core/request.ts'
import { nameInMail } from '../../lib/mail-name.ts'
import { defineMails, defineTexts, mailKind, sendMail } from '../outbox/index.ts'
import { addedText, ifNotYou, ifNotYouGerman, knownFacts, reviewSecurity, textAddition } from '../second-factor/index.ts'
import { type DescribedUser, describeUser, exampleUser } from '../users/index.ts'
import { exampleRequester, requesterOf } from '../verifications/index.ts'
import { describePasskey, type PasskeyRow } from './store.ts'

export interface ClonedNotice {
  readonly user: DescribedUser
  /** As the user named it; null: not named. */
  readonly name: string | null
  /** Name of the authenticator, such as `iCloud Keychain`; null when it is unknown. */
  readonly provider: string | null
  /** ISO 8601. */
  readonly time: string
}

export interface PasskeyNotice extends ClonedNotice {
  /** Whether the browser created it without a dialog, after a sign-in with a password. */
  readonly isAutomatic: boolean
}

export interface AddedNotice extends PasskeyNotice {
  /** Where it was added, such as `Chrome 142 on Windows`; null when the client does not say. */
  readonly device: string | null
}

const facts = ({ name, provider, time }: ClonedNotice, context: TextContext, labels: readonly [string, string, string]) =>
  knownFacts([
    [labels[0], name === null ? null : nameInMail(name)],
    [labels[1], provider],
    [labels[2], context.time(time)],
  ])

/** @param on the word between program and system */
const deviceFact = ({ device }: AddedNotice, label: string, on: string) =>
  knownFacts([[label, device === null ? null : nameInMail(device.replace(' on ', ` ${on} `))]])

const english = ['Passkey', 'Device or password manager', 'Time'] as const
const german = ['Passkey', 'Gerät oder Passwortmanager', 'Zeit'] as const

const endOthers = ifNotYouGerman(
  'ändern Sie Ihr Passwort und beenden Sie Ihre Sitzungen',
  'ändere dein Passwort und beende deine Sitzungen',
)
const removeToo = ifNotYouGerman(
  'entfernen Sie den Passkey, ändern Sie Ihr Passwort und beenden Sie Ihre Sitzungen',
  'entferne den Passkey, ändere dein Passwort und beende deine Sitzungen',
)
const notYours = {
  preheader: "If this wasn't you, someone else may have access to your account.",
  vorschau: [
    'Wenn Sie das nicht waren, könnte jemand anderes Zugriff auf Ihr Konto haben.',
    'Wenn du das nicht warst, könnte jemand anderes Zugriff auf dein Konto haben.',
  ],
} as const

const example = (app: Parameters<typeof exampleUser>[0]): PasskeyNotice => ({
  ...{ user: exampleUser(app), name: 'Laptop', provider: 'iCloud Keychain', time: app.now().toISOString(), isAutomatic: false },
})

export const mails = defineMails({
  'passkey-added': mailKind<AddedNotice>({
    option: ({ passkey }) => passkey.sendPasskeyAdded,
    content: {
      en: (notice, context) => ({
        subject: `A passkey was added to your ${context.appName} account`,
        preheader: notYours.preheader,
        heading: 'A passkey was added',
        paragraphs: [
          `Your ${context.appName} account can now be signed in to with this passkey.`,
          ...(notice.isAutomatic ? ['Your browser created it when you signed in with your password.'] : []),
        ],
        facts: [...facts(notice, context, english), ...deviceFact(notice, 'Added with', 'on')],
        ...reviewSecurity(context, "This wasn't me"),
        footnote: ifNotYou('remove the passkey, change your password and revoke your sessions'),
      }),
      de: (notice, context) => ({
        subject: context.say(
          `Ihrem Konto bei ${context.appName} wurde ein Passkey hinzugefügt`,
          `Deinem Konto bei ${context.appName} wurde ein Passkey hinzugefügt`,
        ),
        preheader: context.say(...notYours.vorschau),
        heading: 'Ein Passkey wurde hinzugefügt',
        paragraphs: [
          context.say(
            `Mit diesem Passkey kann man sich jetzt bei Ihrem Konto bei ${context.appName} anmelden.`,
            `Mit diesem Passkey kann man sich jetzt bei deinem Konto bei ${context.appName} anmelden.`,
          ),
          ...(notice.isAutomatic
            ? [
                context.say(
                  'Ihr Browser hat ihn erstellt, als Sie sich mit Ihrem Passwort angemeldet haben.',
                  'Dein Browser hat ihn erstellt, als du dich mit deinem Passwort angemeldet hast.',
                ),
              ]
            : []),
        ],
        facts: [...facts(notice, context, german), ...deviceFact(notice, 'Hinzugefügt mit', 'auf')],
        ...reviewSecurity(context, 'Das war ich nicht'),
        footnote: context.say(...removeToo),
      }),
    },
    example: (app) => ({ ...example(app), device: exampleRequester(app).device }),
  }),
  'passkey-removed': mailKind<PasskeyNotice>({
    option: ({ passkey }) => passkey.sendPasskeyRemoved,
    content: {
      en: (notice, context) => ({
        subject: `A passkey of your ${context.appName} account was removed`,
        preheader: notYours.preheader,
        heading: 'A passkey was removed',
        paragraphs: [`Your ${context.appName} account can no longer be signed in to with this passkey.`],
        facts: facts(notice, context, english),
        ...reviewSecurity(context, "This wasn't me"),
        footnote: `If this was you, delete the passkey in your password manager too. ${ifNotYou('change your password and revoke your sessions')}`,
      }),
      de: (notice, context) => ({
        subject: context.say(
          `Ein Passkey Ihres Kontos bei ${context.appName} wurde entfernt`,
          `Ein Passkey deines Kontos bei ${context.appName} wurde entfernt`,
        ),
        preheader: context.say(...notYours.vorschau),
        heading: 'Ein Passkey wurde entfernt',
        paragraphs: [
          context.say(
            `Mit diesem Passkey kann man sich nicht mehr bei Ihrem Konto bei ${context.appName} anmelden.`,
            `Mit diesem Passkey kann man sich nicht mehr bei deinem Konto bei ${context.appName} anmelden.`,
          ),
        ],
        facts: facts(notice, context, german),
        ...reviewSecurity(context, 'Das war ich nicht'),
        footnote: context.say(
          `Wenn Sie das waren, löschen Sie den Passkey auch in Ihrem Passwortmanager. ${endOthers[0]}`,
          `Wenn du das warst, lösche den Passkey auch in deinem Passwortmanager. ${endOthers[1]}`,
        ),
      }),
    },
    example,
  }),
  'passkey-cloned': mailKind<ClonedNotice>({
    option: ({ passkey }) => passkey.sendPasskeyCloned,
    content: {
      en: (notice, context) => ({
        subject: `A passkey of your ${context.appName} account was suspended`,
        preheader: 'It may have been copied, so it cannot be used to sign in.',
        heading: 'A passkey was suspended',
        paragraphs: [
          'A sign-in used this passkey with a counter that went back. That happens when someone has copied it.',
          'There was no sign-in. Sign in with another method, then remove the passkey, or allow it again if you know the reason.',
        ],
        facts: facts(notice, context, english),
        ...reviewSecurity(context, 'Review your sign-in methods'),
      }),
      de: (notice, context) => ({
        subject: context.say(
          `Ein Passkey Ihres Kontos bei ${context.appName} wurde gesperrt`,
          `Ein Passkey deines Kontos bei ${context.appName} wurde gesperrt`,
        ),
        preheader: 'Er wurde vielleicht kopiert, deshalb kann man sich mit ihm nicht anmelden.',
        heading: 'Ein Passkey wurde gesperrt',
        paragraphs: [
          'Bei einer Anmeldung mit diesem Passkey war der Zähler niedriger als zuvor. Das geschieht, wenn ihn jemand kopiert hat.',
          context.say(
            'Niemand wurde angemeldet. Melden Sie sich mit einer anderen Methode an und entfernen Sie den Passkey, oder erlauben Sie ihn wieder, wenn Sie den Grund kennen.',
            'Niemand wurde angemeldet. Melde dich mit einer anderen Methode an und entferne den Passkey, oder erlaube ihn wieder, wenn du den Grund kennst.',
          ),
        ],
        facts: facts(notice, context, german),
        ...reviewSecurity(context, 'Anmeldemethoden prüfen'),
      }),
    },
    example: (app) => {
      const { isAutomatic: _, ...notice } = example(app)
      return notice
    },
  }),
})

export const texts = defineTexts({
  'passkey-added': addedText('a passkey was added to your account.', ({ say }) =>
    say('Ihrem Konto wurde ein Passkey hinzugefügt.', 'Deinem Konto wurde ein Passkey hinzugefügt.'),
  ),
})

/**
 * Sends a notice in the transaction of the change: by email, and of a new passkey by text message too. An email address or number that is
 * not verified may belong to another person.
 */
export async function sendNotice(tx: App, kind: keyof typeof mails, user: UserRow, passkey: PasskeyRow): Promise<void> {
  if (kind === 'passkey-added') await textAddition(tx, texts[kind], user)
  if (!user.emailVerified) return
  const { name, provider } = describePasskey(passkey)
  const notice = { user: describeUser(tx, user), name, provider, time: tx.now().toISOString() }
  const { isAutomatic } = passkey
  if (kind === 'passkey-cloned') await sendMail(tx, mails[kind], user, notice)
  else if (kind === 'passkey-removed') await sendMail(tx, mails[kind], user, { ...notice, isAutomatic })
  else await sendMail(tx, mails[kind], user, { ...notice, isAutomatic, device: requesterOf(tx).device })
}
