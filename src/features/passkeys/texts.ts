/** The texts of emails and text messages: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { AddedText } from '../second-factor/index.ts'
import type { AddedNotice, ClonedNotice, PasskeyNotice } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'passkey-added': AddedNotice
  readonly 'passkey-removed': PasskeyNotice
  readonly 'passkey-cloned': ClonedNotice
  readonly 'passkey-sign-up': { readonly code: string }
}

/** The data of the text messages, by kind. */
export interface Texts {
  readonly 'passkey-added': AddedText
}

export const textsOf = textFiles<Mails, Texts>((language) => import(`./texts/${language}.ts`))
