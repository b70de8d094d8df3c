/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { ChangeMail, ChangeNotice } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'change-email': ChangeMail
  readonly 'email-in-use': object
  readonly 'email-changed': ChangeNotice
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
