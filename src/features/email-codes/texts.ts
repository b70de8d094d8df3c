/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { CodeMail, SignInMail } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'email-code': CodeMail
  readonly 'sign-in-email': SignInMail
  readonly 'email-change-code': CodeMail
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
