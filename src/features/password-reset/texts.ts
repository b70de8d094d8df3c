/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { LinkMail } from '../email-verification/index.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'reset-password': LinkMail
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
