/** The figures of the overview whose steps follow on each other: of all that started, how many came how far. */
import { type ChartTone, Share } from '../../components/charts.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { Figure } from './figure.tsx'
import { messages } from './index.ts'
import type { FigureProps } from './intervals.ts'

export interface Step {
  readonly name: string
  readonly count: number
  readonly tone?: ChartTone
}

/** Counts of the same range: more can end in it than start in it, and a share says nothing then. */
export const isShare = (count: number, all: number): boolean => all > 0 && count <= all

export function Steps({ steps }: { readonly steps: readonly [Step, ...Step[]] }) {
  const { format } = useLocale()
  const all = steps[0].count
  return (
    <ol className="grid gap-4 text-13">
      {steps.map(({ name, count, tone = 'accent' }, position) => (
        <li key={name} className="grid gap-1.5">
          <span className="flex items-baseline gap-3 tabular-nums">
            <span className="min-w-0 grow">{name}</span>
            <span>{format.number(count)}</span>
            <span className="w-12 text-end text-muted">
              {position > 0 && isShare(count, all) ? format.percent(count / all) : null}
            </span>
          </span>
          <Share value={all === 0 ? 0 : Math.min(1, count / all)} tone={tone} />
        </li>
      ))}
    </ol>
  )
}

export function Verification({ overview }: FigureProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { signedUp, emailSent, verified, signedIn } = overview.verification
  return (
    <Figure
      className="wide:col-span-2"
      headlines={[
        { name: t('funnel'), value: signedUp === 0 ? '–' : format.percent(verified / signedUp), detail: t('verifiedOfAll') },
      ]}
      chart={
        <Steps
          steps={[
            { name: t('signedUp'), count: signedUp },
            { name: t('emailSent'), count: emailSent },
            { name: t('emailVerified'), count: verified },
            // Users who were created otherwise sign in for the first time too.
            { name: t('signedIn'), count: signedIn },
          ]}
        />
      }
      link={{ label: t('unverifiedUsers'), to: '/admin/users', search: { status: 'unverified' } }}
    />
  )
}

export function Invitations({ overview: { invitations, range } }: FigureProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { sent, accepted, rejected, canceled, expired } = invitations
  const ends: readonly Step[] = [
    { name: t('invitationsAccepted'), count: accepted, tone: 'success' },
    { name: t('invitationsRejected'), count: rejected, tone: 'brass' },
    { name: t('invitationsCanceled'), count: canceled, tone: 'brass' },
    { name: t('invitationsExpired'), count: expired, tone: 'brass' },
  ]
  const steps = [{ name: t('invitationsSent'), count: sent }, ...ends] as const
  return (
    <Figure
      className="wide:col-span-2"
      headlines={[
        {
          name: t('invitations'),
          value: isShare(accepted, sent) ? format.percent(accepted / sent) : '–',
          detail: t('acceptedOfAll'),
        },
      ]}
      chart={<Steps steps={steps} />}
      table={{
        columns: [t('invitations'), t('count'), t('share')],
        rows: steps.map(({ name, count }) => [
          name,
          format.number(count),
          isShare(count, sent) ? format.percent(count / sent) : '–',
        ]),
      }}
      link={{
        label: t('sentInvitations'),
        to: '/admin/events',
        search: { action: 'invitation.created', ...(range !== '90d' && { range }) },
      }}
    />
  )
}
