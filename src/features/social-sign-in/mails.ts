/** Notices of linked accounts (ASVS 6.3.7). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { isEmailAddress } from '../../lib/text.ts'
import type { Config } from '../index.ts'
import { defineMails, type MailContent, mailTemplates, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser } from '../users/index.ts'

export interface LinkNotice {
  readonly user: DescribedUser
  /** Name of the provider. */
  readonly provider: string
  /** Whether sessions and sign-in methods from before were removed, because the email address was never verified. */
  readonly hasRevoked: boolean
}

export const mailConfig = mailTemplates<{ 'account-linked': LinkNotice }>({
  'account-linked': 'that notifies of a linked social account',
})

export const mails = defineMails({
  'account-linked': {
    option: ({ account }: Config) => account.accountLinking.sendAccountLinked,
    render: ({ provider, hasRevoked }: LinkNotice, { config }: App): MailContent => ({
      subject: `Your ${config.appName} account was linked to ${provider}`,
      heading: `You can now sign in with ${provider}`,
      paragraphs: [
        `Your ${config.appName} account was linked to an account at ${provider}, which can now be used to sign in.`,
        ...(hasRevoked ? [revoked] : []),
      ],
      footnote:
        "If this was you, you don't need to do anything. If it wasn't, unlink it in your account, and change your password: someone else may have access.",
    }),
  },
})

const revoked =
  'Its email address had never been verified, so another person may have signed up with it. All devices were signed out, and the password and other sign-in methods from before were removed. To sign in with a password again, request a password reset and choose a new one.'

/** Part of the transaction that links. Some providers send a name in place of an email address. */
export async function accountLinked(tx: App, user: UserRow, notice: Omit<LinkNotice, 'user'>): Promise<void> {
  if (isEmailAddress(user.email))
    await sendMail(tx, mails['account-linked'], user.email, { user: describeUser(tx, user), ...notice })
}
