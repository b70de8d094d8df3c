/** Warns before `security.txt` is out of date: researchers ignore one that has expired (RFC 9116 §2.5.5). */
import type { Config } from '../../features/index.ts'
import { daysLeft } from '../../features/security-txt/index.ts'
import { counted } from '../../lib/text.ts'
import { check, type Finding } from './finding.ts'

const [warnDays, longestDays] = [30, 366]
const fix = 'Check its contacts, then set securityTxt.expires to a later time, within a year.'

/** Nothing without the document. */
export function checkSecurityTxt(config: Config, now: Date): Finding[] {
  const days = daysLeft(config, now)
  if (days === null) return []
  const { ok, warning } = check('security-txt', 'security.txt')
  const { expires = '' } = config.securityTxt
  if (days < 0) return [warning(`security.txt has expired on ${expires}`, fix)]
  if (days < warnDays) return [warning(`security.txt expires in ${counted(days, 'day')}`, fix)]
  if (days > longestDays)
    return [warning(`security.txt expires only in ${counted(days, 'day')}: RFC 9116 recommends less than a year`, fix)]
  return [ok(`Expires in ${counted(days, 'day')}`)]
}
