/** One timeline for a request, a user or an IP address: what was rejected, what blocks calls now, and which options decide. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { hasCode } from '../../api/calls.ts'
import { TextLink } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, PageHead, Section } from '../../components/layout.tsx'
import { Loaded } from '../../components/list.tsx'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useParameter } from '../../routes/parameters.ts'
import { call } from '../../session/session.ts'
import { CodeList } from './explain-codes.tsx'
import { Findings } from './explain-findings.tsx'
import { Refusals, SignInSteps } from './explain-refusals.tsx'
import { messages } from './explain-texts.ts'
import { messages as navigation } from './index.ts'

const explain = (subject: string) => call('GET /admin/explain', { query: { subject } })
export type Explanation = Awaited<ReturnType<typeof explain>>

const explanationQuery = (subject: string) =>
  queryOptions({
    queryKey: ['admin', 'explain', subject],
    queryFn: () => explain(subject),
    enabled: subject !== '',
    // Who has asked may try again, and look at what has changed.
    staleTime: 0,
  })

export function Screen() {
  const t = useMessages(messages)
  const title = useMessages(navigation)
  const subject = useParameter('subject')?.trim() ?? ''
  const query = useQuery(explanationQuery(subject))
  if (hasCode(query.error, 'FORBIDDEN')) return <NotPermitted />
  return (
    <>
      <PageHead title={title('explain')}>{t('lead')}</PageHead>
      <Card className="max-w-160 p-4">
        <LookUp key={subject} subject={subject} />
      </Card>
      {subject === '' ? null : (
        <div className="mt-6" aria-live="polite">
          <Loaded query={query}>{(found) => <Found found={found} />}</Loaded>
        </div>
      )}
    </>
  )
}

const loadSchema = () => import('./explain-schemas.ts').then(({ explainInput }) => explainInput)

/** What was looked up is in the address, so that it can be linked to. */
function LookUp({ subject }: { readonly subject: string }) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const state = useApiForm({
    schema: loadSchema,
    defaults: { subject },
    submit: async ({ subject: given }) => {
      await navigate({ to: '.', search: { subject: given } as never })
    },
  })
  return (
    <Form state={state} submitLabel={t('explainAction')}>
      <TextField
        {...state.field('subject')}
        label={t('subject')}
        hint={t('subjectHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Form>
  )
}

function Found({ found }: { readonly found: Explanation }) {
  const t = useMessages(messages)
  const { findings, refusals, isComplete, codes, settings, signIn, userId } = found
  const others = findings.filter(({ id }) => id !== 'no-refusals')
  return (
    <>
      {others.length > 0 || userId !== null ? (
        <Section
          title={t('now')}
          actions={userId === null ? null : <TextLink to={`/admin/users/${userId}`}>{t('openUser')}</TextLink>}
        >
          <Findings findings={others} />
        </Section>
      ) : null}
      {found.subject.kind === 'code' ? null : (
        <Section title={t('refusals')} description={t('refusalsLead')}>
          {refusals.length > 0 ? <Refusals refusals={refusals} /> : <Note>{t('noRefusals')}</Note>}
          {isComplete ? null : (
            <p className="mt-2 text-13 text-muted">
              {t('olderOnes')} <TextLink to="/admin/events">{t('refusals')}</TextLink>
            </p>
          )}
        </Section>
      )}
      {codes.length > 0 ? (
        <Section title={t('codes')}>
          <CodeList codes={codes} settings={settings} />
        </Section>
      ) : null}
      {signIn.length > 0 ? <SignInSteps steps={signIn} /> : null}
    </>
  )
}
