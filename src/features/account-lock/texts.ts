/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { LockNotice, UnlockNotice } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'account-locked': LockNotice
  readonly 'account-unlocked': UnlockNotice
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
