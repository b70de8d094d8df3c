/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'waiting-list-joined': object
  readonly 'waiting-list-approved': { readonly url: string }
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
