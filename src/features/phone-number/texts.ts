/** The texts of emails and text messages: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { CodeMessage } from './codes.ts'
import type { NumberNotice } from './verification.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'phone-number-changed': NumberNotice
}

/** The data of the text messages, by kind. */
export interface Texts {
  readonly 'phone-verification': CodeMessage
  readonly 'phone-password-reset': CodeMessage
}

export const textsOf = textFiles<Mails, Texts>((language) => import(`./texts/${language}.ts`))
