/** An incident: what is frozen, and the sessions that are revoked. */
import { useQuery } from '@tanstack/react-query'
import { Card, Section, Time } from '../../components/layout.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { incidentQuery, type Revocation } from './incident-data.ts'
import { Freezes } from './incident-freezes.tsx'
import { RevokeForm } from './incident-revocation.tsx'
import { Code, Status } from './parts.tsx'
import { incidentMessages } from './system-messages.ts'

export function Screen() {
  const t = useMessages(incidentMessages)
  const isPermitted = useIsPermitted()
  const query = useQuery(incidentQuery)
  const result = useResult()
  return (
    <AdminPage title={t('incident')} lead={t('lead')} query={query} controls={result.note}>
      {({ frozen, revocations }) => (
        <>
          <Freezes frozen={frozen} mayChange={isPermitted('incident', 'freeze')} onDone={result.show} />
          {isPermitted('incident', 'revoke') ? (
            <Section title={t('revoke')} description={t('revokeLead')}>
              <Card className="max-w-160 p-4">
                <RevokeForm onDone={result.show} />
              </Card>
            </Section>
          ) : null}
          <Section title={t('revocations')}>
            <Revocations revocations={revocations} />
          </Section>
        </>
      )}
    </AdminPage>
  )
}

const tones = { running: 'waiting', completed: 'ok', stopped: 'failed' } as const

const filterText = (filter: Readonly<Record<string, unknown>>) =>
  Object.entries(filter)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')

function Revocations({ revocations }: { readonly revocations: readonly Revocation[] }) {
  const t = useMessages(incidentMessages)
  if (revocations.length === 0) return <p className="text-13 text-muted">{t('noRevocations')}</p>
  const columns = [{ label: t('filter') }, { label: t('state') }, { label: t('by') }, { label: t('when') }]
  return (
    <Table label={t('revocations')} columns={columns}>
      {revocations.map(({ id, filter, reason, state, revoked, by, createdAt }) => (
        <Row
          key={id}
          head={
            <>
              <Code>{filterText(filter)}</Code>
              {reason === null ? null : <span className="block text-12 text-muted">{reason}</span>}
            </>
          }
        >
          <Cell label={t('state')}>
            <Status tone={tones[state]}>{t(state)}</Status>
            <span className="block text-12 text-muted">{t('revoked', { count: revoked })}</span>
          </Cell>
          <Cell label={t('by')}>{by ?? t('unknownBy')}</Cell>
          <Cell label={t('when')}>
            <Time value={createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
