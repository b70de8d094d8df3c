/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { PasswordNotice } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'password-changed': PasswordNotice
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
