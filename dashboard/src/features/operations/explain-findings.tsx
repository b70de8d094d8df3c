/** What holds now, each with its sentence. */
import { Card, Line, Lines, Tag } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { Explanation } from './explain.tsx'
import { messages } from './explain-texts.ts'

type Finding = Explanation['findings'][number]

export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const t = useMessages(messages)
  const sentence = useSentence()
  return (
    <Card>
      <Lines>
        {findings.map((finding) => (
          <Line
            key={`${finding.id} ${Object.values(finding.values).join(' ')}`}
            title={
              <span className="inline-flex flex-wrap items-center gap-2">
                {finding.state === 'blocks' ? <Tag tone="danger">{t('blocked')}</Tag> : <Tag>{t('note')}</Tag>}
                <span className="font-normal">{sentence(finding)}</span>
              </span>
            }
          />
        ))}
      </Lines>
    </Card>
  )
}

/** Findings of a later version of the daemon have the sentence of the response. */
function useSentence(): (finding: Finding) => string {
  const t = useMessages(messages)
  const { format } = useLocale()
  const date = (value: string | number | undefined) => format.dateTime(new Date(String(value)))
  return ({ id, values, message }) => {
    const known: Readonly<Record<string, () => string>> = {
      'user-not-found': () => t('userNotFound'),
      'user-found': () => t('userFound', { created: date(values.created) }),
      banned: () => (/^\d{4}-/.test(String(values.until)) ? t('banned', { until: date(values.until) }) : t('bannedForever')),
      locked: () => t('accountLocked', { since: date(values.since) }),
      'sign-in-frozen': () => t('signInFrozen', { since: date(values.since) }),
      'sign-up-frozen': () => t('signUpFrozen', { since: date(values.since) }),
      'writes-frozen': () => t('writesFrozen', { since: date(values.since) }),
      'sign-up-rejected': () => t('signUpRejected', { reason: String(values.reason) }),
      'email-unverified': () => t('emailUnverified'),
      lockout: () => t('lockout', values),
      'factor-lockout': () => t('factorLockout', values),
      'factor-suspended': () => t('factorSuspended'),
      'code-lockout': () => t('codeLockout', values),
      'mail-limit': () => t('mailLimit', values),
      'rate-limit': () => t('rateLimit', values),
      'rate-limits-off': () => t('limitsOff'),
      'rate-limits-unseen': () => t('limitsUnseen'),
      'private-address': () => t('privateAddress'),
      'addresses-not-stored': () => t('notStored'),
      'nothing-recorded': () => t('nothingRecorded'),
      'request-time': () => t('requestTime', { time: date(values.time) }),
      'code-unknown': () => t('codeUnknown'),
    }
    return known[id]?.() ?? message
  }
}
