/** The refusals, newest first, and the decisions of the next sign-in. */
import { useCodeText } from '../../api/errors.ts'
import { CopyButton } from '../../components/feedback.tsx'
import { Card, Facts, Section, Time } from '../../components/layout.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import type { Explanation } from './explain.tsx'
import { messages } from './explain-texts.ts'

const Mono = ({ children }: { readonly children: string }) => (
  <span dir="ltr" translate="no" className="font-mono text-12 wrap-anywhere [font-variant-ligatures:none]">
    {children}
  </span>
)

export function Refusals({ refusals }: { readonly refusals: Explanation['refusals'] }) {
  const t = useMessages(messages)
  const columns = [{ label: t('what') }, { label: t('time') }, { label: t('from') }, { label: t('requestId'), isWideOnly: true }]
  return (
    <Table columns={columns}>
      {refusals.map((refusal) => (
        <Refusal key={refusal.id} refusal={refusal} />
      ))}
    </Table>
  )
}

function Refusal({ refusal }: { readonly refusal: Explanation['refusals'][number] }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const sentence = useCodeText()
  const { format } = useLocale()
  const { at, action, code, route, reason, count, ipAddress, requestId } = refusal
  const text = code === null ? null : sentence(code)
  return (
    <Row
      head={
        <div className="min-w-0 card:whitespace-normal">
          <Mono>{code ?? action}</Mono>
          {reason === null ? null : <Mono>{` (${reason})`}</Mono>}
          {count > 1 ? <span className="text-muted"> · {t('times', { count })}</span> : null}
          <span className="block text-12 text-muted">
            {route === null ? null : <Mono>{route}</Mono>} {text}
          </span>
        </div>
      }
    >
      <Cell label={t('time')}>
        <Time value={at} />
        <span className="block text-12 text-muted">{format.dateTime(new Date(at))}</span>
      </Cell>
      <Cell label={t('from')}>{ipAddress === null ? '–' : <Mono>{ipAddress}</Mono>}</Cell>
      <Cell label={t('requestId')} isWideOnly>
        {requestId === null ? '–' : <CopyButton text={requestId} label={frame('copyRequestId')} isVisible />}
      </Cell>
    </Row>
  )
}

export function SignInSteps({ steps }: { readonly steps: Explanation['signIn'] }) {
  const t = useMessages(messages)
  return (
    <Section title={t('signIn')} description={t('signInLead')}>
      <Card className="px-4">
        <Facts
          facts={steps.map(({ step, result, reason }) => [step, <Mono key={step}>{`${result} (${reason})`}</Mono>] as const)}
        />
      </Card>
    </Section>
  )
}
