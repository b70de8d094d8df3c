/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { InvitationMail } from './invitation-mail.ts'
import type { FactorReminder } from './policy-reminders.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'organization-invitation': InvitationMail
  readonly 'organization-two-factor': FactorReminder
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
