/** What the emails about a locked account have in common in every language. */
import type { MailContent, TextContext } from '../../../core/message.ts'
import type { LockNotice } from '../mails.ts'

/** The counts above zero, in one line. @param names of sessions, API keys, links and codes, linked accounts */
export function endedFacts(
  { sessions, apiKeys, linksAndCodes, linkedAccounts }: LockNotice,
  label: string,
  names: readonly [string, string, string, string],
): NonNullable<MailContent['facts']> {
  const counts = [sessions, apiKeys, linksAndCodes, linkedAccounts]
  const ended = counts.flatMap((count, position) => (count > 0 ? [`${names[position]}: ${count}`] : []))
  return ended.length > 0 ? [[label, ended.join(', ')]] : []
}

export const supportOf = ({ config }: TextContext): string | undefined => config.dashboard.branding.supportEmail
