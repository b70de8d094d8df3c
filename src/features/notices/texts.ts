/** The texts of emails: a file per language. */
import { textFiles } from '../../core/text-files.ts'
import type { AccountNotice, BanNotice, ImpersonationNotice, MethodNotice, SessionLimitNotice, SignInNotice } from './mails.ts'

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'sign-in-method-removed': MethodNotice
  readonly 'account-banned': BanNotice
  readonly 'account-deleted': AccountNotice
  readonly 'account-impersonated': ImpersonationNotice
  readonly 'new-sign-in': SignInNotice
  readonly 'session-limit': SessionLimitNotice
}

export const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))
