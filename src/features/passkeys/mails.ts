/** Notices of passkeys that were added, removed or suspended, to verified email addresses; of new ones to verified numbers too. */
import type { App } from '../../core/app.ts'
import type { LockableNotice } from '../../core/message.ts'
import type { UserRow } from '../../core/request.ts'
import { defineMails, defineTexts, sendMail } from '../outbox/index.ts'
import { textAddition } from '../second-factor/index.ts'
import { type DescribedUser, describeUser, exampleUser } from '../users/index.ts'
import { exampleRequester, requesterOf } from '../verifications/index.ts'
import { describePasskey, type PasskeyRow } from './store.ts'
import { textsOf } from './texts.ts'

export interface ClonedNotice extends LockableNotice {
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

const example = (app: Parameters<typeof exampleUser>[0]): PasskeyNotice => ({
  ...{ user: exampleUser(app), name: 'Laptop', provider: 'iCloud Keychain', time: app.now().toISOString(), isAutomatic: false },
})

export const mails = defineMails(textsOf, {
  'passkey-added': {
    isNotice: true,
    option: ({ passkey }) => passkey.sendPasskeyAdded,
    example: (app) => ({ ...example(app), device: exampleRequester(app).device }),
  },
  'passkey-removed': {
    isNotice: true,
    option: ({ passkey }) => passkey.sendPasskeyRemoved,
    example,
  },
  'passkey-cloned': {
    isNotice: true,
    option: ({ passkey }) => passkey.sendPasskeyCloned,
    example: (app) => {
      const { isAutomatic: _, ...notice } = example(app)
      return notice
    },
  },
})

export const texts = defineTexts(textsOf, { 'passkey-added': { code: () => '' } })

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
