/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'account-exists': object
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
