/** The figures of the sign-in policy: how users sign in, and with what they could. */
import { useSettings } from '../../api/calls.ts'
import { canReset } from '../../api/settings.ts'
import { Share, Trend } from '../../components/charts.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import type { Policy } from './data.ts'
import { Figure } from './figure.tsx'
import { isShare, type Step, Steps } from './funnels.tsx'
import { policyMessages } from './policy-messages.ts'
import { useMethodName } from './policy-words.ts'

interface Props {
  readonly policy: Policy
}
type Counted = NonNullable<Policy['users']>

const totalOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
const half = 'wide:col-span-3'

function useShare(): (count: number, all: number) => string {
  const { format } = useLocale()
  return (count, all) => (isShare(count, all) ? format.percent(count / all) : '–')
}

interface BarsProps {
  readonly bars: readonly { readonly name: string; readonly count: number }[]
  readonly all: number
}

/** What is counted by name, each with its share. */
function NamedBars({ bars, all }: BarsProps) {
  const { format } = useLocale()
  const share = useShare()
  return (
    <ul className="grid gap-4 text-13">
      {bars.map(({ name, count }) => (
        <li key={name} className="grid gap-1.5">
          <span className="flex items-baseline gap-3 tabular-nums">
            <bdi className="min-w-0 grow wrap-anywhere">{name}</bdi>
            <span>{count === 0 ? '–' : format.number(count)}</span>
            <span className="w-12 text-end text-muted">{count === 0 ? null : share(count, all)}</span>
          </span>
          <Share value={all === 0 ? 0 : count / all} />
        </li>
      ))}
    </ul>
  )
}

/** Each method that is on, also when it was not used, then those that were used while they were on. */
function countsByMethod({ methods, recent: { signIns } }: Policy): { readonly name: string; readonly count: number }[] {
  const isOf = (method: string) => (one: string) => one === method || one.startsWith(`${method}:`)
  const own = methods.flatMap((method) => {
    const used = signIns.filter((one) => isOf(method)(one.method))
    return used.length > 0 ? used : [{ method, count: 0 }]
  })
  const others = signIns.filter((one) => !methods.some((method) => isOf(method)(one.method)))
  return [...own, ...others].map(({ method, count }) => ({ name: method, count }))
}

export function SignInsByMethod({ policy }: Props) {
  const t = useMessages(policyMessages)
  const { format } = useLocale()
  const nameOf = useMethodName()
  const bars = countsByMethod(policy).map(({ name, count }) => ({ name: nameOf(name), count }))
  const all = totalOf(bars.map(({ count }) => count))
  return (
    <Figure
      className={half}
      headlines={[{ name: t('signIns'), value: format.number(all), detail: t('lastDays') }]}
      chart={<NamedBars bars={bars} all={all} />}
      note={t('order')}
    />
  )
}

export function Adoption({ policy, users }: Props & { readonly users: Counted }) {
  const t = useMessages(policyMessages)
  const { format } = useLocale()
  const share = useShare()
  const isPermitted = useIsPermitted()
  const { adoption, total } = users
  const parts = [
    ...(policy.twoFactor ? [{ name: t('adoption'), tone: 'accent', value: 'secondFactor' } as const] : []),
    ...(policy.passkeys ? [{ name: t('withPasskey'), tone: 'info', value: 'passkey' } as const] : []),
  ]
  const of = ({ users: all, ...counts }: Counted['adoption'][number], value: 'secondFactor' | 'passkey') =>
    share(counts[value], all)
  const headlines = parts.map(({ name, tone, value }) => {
    const last = adoption.at(-1)
    return { name, tone, value: last ? of(last, value) : '–' }
  })
  const [main, ...others] = headlines
  if (!main) return null
  return (
    <Figure
      className={half}
      headlines={[{ ...main, detail: t('ofUsers', { total: format.number(total) }) }, ...others]}
      chart={
        adoption.length < 2 ? <p className="text-13 text-muted">{t('oneDay')}</p> : <Trends parts={parts} adoption={adoption} />
      }
      table={{
        columns: [t('day'), t('users'), ...parts.map(({ name }) => name)],
        rows: adoption
          .toReversed()
          .map((each) => [
            format.shortDay(new Date(each.at)),
            format.number(each.users),
            ...parts.map(({ value }) => of(each, value)),
          ]),
      }}
      link={
        policy.twoFactor && isPermitted('user', 'list')
          ? { label: t('withoutFactor'), to: '/admin/users', search: { secondFactor: 'without' } }
          : undefined
      }
    />
  )
}

interface TrendsProps {
  readonly parts: readonly {
    readonly name: string
    readonly tone: 'accent' | 'info'
    readonly value: 'secondFactor' | 'passkey'
  }[]
  readonly adoption: Counted['adoption']
}

function Trends({ parts, adoption }: TrendsProps) {
  const t = useMessages(policyMessages)
  const { format } = useLocale()
  const day = (each: Counted['adoption'][number] | undefined) => (each ? format.shortDay(new Date(each.at)) : '')
  return (
    <div className="grid gap-5 card:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
      {parts.map(({ name, tone, value }) => {
        const shares = adoption.map((each) => (each.users === 0 ? 0 : each[value] / each.users))
        const [first, last] = [format.percent(shares[0] ?? 0), format.percent(shares.at(-1) ?? 0)]
        return (
          <div key={name}>
            <p className="mb-1 text-13 font-medium">{name}</p>
            <Trend tone={tone} values={shares.map((each) => each * 100)} summary={t('adoptionSummary', { name, first, last })} />
            <p aria-hidden className="mt-1 flex justify-between text-[11px] text-muted">
              <span>{day(adoption[0])}</span>
              <span>{day(adoption.at(-1))}</span>
            </p>
          </div>
        )
      })}
    </div>
  )
}

export function OneMethod({ users: { oneMethod, total } }: { readonly users: Counted }) {
  const t = useMessages(policyMessages)
  const { format } = useLocale()
  const nameOf = useMethodName()
  const settings = useSettings()
  const all = totalOf(oneMethod.map(({ users }) => users))
  const isReset = canReset(settings) && oneMethod.some(({ method }) => method === 'password')
  return (
    <Figure
      className={half}
      headlines={[{ name: t('oneMethod'), value: format.number(all), detail: t('ofUsers', { total: format.number(total) }) }]}
      chart={
        all === 0 ? (
          <p className="text-13 text-muted">{t('everyoneHasMore')}</p>
        ) : (
          <NamedBars bars={oneMethod.map(({ method, users }) => ({ name: nameOf(method), count: users }))} all={total} />
        )
      }
      note={`${t('oneMethodNote')} ${isReset ? `${t('resetNote')} ` : ''}${t('noList')}`}
    />
  )
}

type Challenge = Policy['recent']['challenges']['verify']

export function Challenges({ policy }: Props) {
  const t = useMessages(policyMessages)
  const share = useShare()
  const { verify, setup } = policy.recent.challenges
  const ends = ({ cancelled, failed, expired }: Challenge): readonly Step[] => [
    { name: t('cancelled'), count: cancelled, tone: 'brass' },
    { name: t('failed'), count: failed, tone: 'brass' },
    { name: t('expired'), count: expired, tone: 'brass' },
  ]
  return (
    <>
      <Figure
        className={half}
        headlines={[
          { name: t('challenges'), value: share(verify.passed, verify.opened), detail: `${t('completed')}, ${t('lastDays')}` },
        ]}
        chart={
          <Steps
            steps={[
              { name: t('opened'), count: verify.opened },
              { name: t('passed'), count: verify.passed, tone: 'success' },
              ...ends(verify),
            ]}
          />
        }
      />
      {setup.opened > 0 ? (
        <Figure
          className={half}
          headlines={[
            { name: t('setups'), value: share(setup.passed, setup.opened), detail: `${t('completed')}, ${t('lastDays')}` },
          ]}
          chart={
            <Steps
              steps={[
                { name: t('setupOpened'), count: setup.opened },
                { name: t('setupPassed'), count: setup.passed, tone: 'success' },
                ...ends(setup),
              ]}
            />
          }
        />
      ) : null}
    </>
  )
}

export function Registrations({ policy }: Props) {
  const t = useMessages(policyMessages)
  const { format } = useLocale()
  const { opened, passed } = policy.recent.passkeyRegistrations
  return (
    <Figure
      className={half}
      headlines={[{ name: t('registrations'), value: format.number(passed), detail: t('lastDays') }]}
      chart={
        <Steps
          steps={[
            { name: t('registrationOpened'), count: opened },
            { name: t('registrationPassed'), count: passed, tone: 'success' },
          ]}
        />
      }
      note={t('automatic')}
    />
  )
}
