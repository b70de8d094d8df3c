/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'

export interface SetupMail {
  readonly url: string
}

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'set-up-link': SetupMail
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
