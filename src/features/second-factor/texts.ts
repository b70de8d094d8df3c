/** The texts of emails and text messages: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { AddedText } from './added-texts.ts'
import type { CodeMail } from './code-messages.ts'
import type { FactorNotice } from './factor-notice.ts'
import type { ResetNotice } from './reset-mail.ts'
import type { ResetText } from './reset-texts.ts'

/** The data of the emails about a reset, by kind. */
export interface ResetMails {
  readonly 'two-factor-reset': ResetNotice
  readonly 'two-factor-reset-code': CodeMail
}

/** The data of the emails, by kind. */
export interface Mails extends ResetMails {
  readonly 'two-factor-enabled': FactorNotice
  readonly 'two-factor-disabled': FactorNotice
  readonly 'backup-code-used': FactorNotice
  readonly 'backup-codes-low': FactorNotice
  readonly 'backup-codes-created': FactorNotice
  readonly 'password-may-be-known': FactorNotice
  readonly 'trusted-browser-copied': FactorNotice
  readonly 'two-factor-suspended': FactorNotice
  readonly 'two-factor-code': CodeMail
}

/** The data of the text messages about a reset, by kind. */
export interface ResetTexts {
  readonly 'two-factor-reset': ResetText
  readonly 'two-factor-reset-code': CodeMail
}

/** The data of the text messages, by kind. */
export interface Texts extends ResetTexts {
  readonly 'two-factor-code': CodeMail
  readonly 'two-factor-enabled': AddedText
  readonly 'backup-codes-created': AddedText
}

export const textsOf = textFiles<Mails, Texts>((language) => import(`./texts/${language}.ts`))
