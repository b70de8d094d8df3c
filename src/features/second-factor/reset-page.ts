/** What emails about a reset of second factors have in common in every language: its page, and the list of what is reset. */
import type { MailContent, TextContext } from '../../core/message.ts'
import type { ResetNotice } from './reset-mail.ts'

/** The first letter is a capital: it stands alone. @param names of factors, inside of a sentence */
export function factorList({ factors }: ResetNotice, names: Readonly<Record<string, string>>): string {
  const list = factors.map((factor) => names[factor] ?? factor).join(', ')
  return list.slice(0, 1).toUpperCase() + list.slice(1)
}

/** A button that cancels the reset; when it is done, one to the page with the second factors. */
export function resetPage(
  { button }: TextContext,
  { url, stage }: ResetNotice,
  [cancel, review]: readonly [cancel: string, review: string],
): Pick<MailContent, 'action'> {
  if (stage === 'done') return button('/account/security', review)
  return url === null ? {} : { action: { label: cancel, url } }
}
