/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { EndedNotice, LinkMail } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly verification: LinkMail
  readonly 'earlier-access-ended': EndedNotice
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
