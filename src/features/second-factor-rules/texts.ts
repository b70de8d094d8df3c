/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { DueNotice } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'two-factor-due': DueNotice
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
