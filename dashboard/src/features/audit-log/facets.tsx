/** Facets: what else there is, with counts. */
import { useQuery } from '@tanstack/react-query'
import { actionGroups } from '../../events/index.ts'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter } from '../../routes/list-state.ts'
import { actorKinds, type Counts, countsQuery, type EventFilter, groupNames, outcomes } from './data.ts'
import { messages } from './index.ts'

/** Names of groups that other texts have as keys. */
export const groupKeys = {
  signIns: 'signIns',
  methods: 'methods',
  users: 'users',
  access: 'access',
  organizations: 'organizations',
  reading: 'reading',
  denials: 'denials',
  system: 'systemGroup',
} as const

const sumOf = (counts: Readonly<Record<string, number>>, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)

export function Facets({ filter }: { readonly filter: EventFilter }) {
  const t = useMessages(messages)
  const { data } = useQuery(countsQuery(filter))
  const counts = (read: (counts: Counts) => number) => (data ? read(data) : undefined)
  const isRecent = filter.range === undefined && filter.from === undefined && filter.until === undefined
  return (
    <div className="grid divide-y divide-border">
      <Facet
        title={t('outcome')}
        parameter="outcome"
        chosen={filter.outcome}
        options={outcomes.map((value) => ({ value, label: t(value), count: counts(({ byOutcome }) => byOutcome[value] ?? 0) }))}
        {...data}
      />
      <Facet
        title={t('actionGroup')}
        parameter="group"
        chosen={filter.group}
        options={groupNames.map((value) => ({
          value,
          label: t(groupKeys[value]),
          count: counts(({ byAction }) => sumOf(byAction, actionGroups[value])),
        }))}
        {...data}
      />
      <Facet
        title={t('actor')}
        parameter="actor"
        chosen={filter.actorKind}
        options={actorKinds.map((value) => ({
          value,
          label: t(value),
          count: counts(({ byActorKind }) => byActorKind[value] ?? 0),
        }))}
        {...data}
      />
      {isRecent && data && !data.isEstimate ? <p className="pt-3 text-12 text-muted">{t('countsAreOf')}</p> : null}
    </div>
  )
}

interface FacetProps {
  readonly title: string
  readonly parameter: string
  readonly chosen: readonly string[]
  readonly options: readonly { readonly value: string; readonly label: string; readonly count: number | undefined }[]
  readonly isEstimate?: boolean
}

function Facet({ title, parameter, chosen, options, isEstimate = false }: FacetProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const change = useFilter()
  const toggle = (value: string, isOn: boolean) => {
    const next = options.map((option) => option.value).filter((one) => (one === value ? isOn : chosen.includes(one)))
    change({ [parameter]: next.length > 0 ? next.join(',') : undefined, ...(parameter === 'group' && { action: undefined }) })
  }
  return (
    <fieldset className="py-3 first:pt-0">
      <legend className="float-start mb-1 w-full text-12 font-medium text-muted">{title}</legend>
      {options.map(({ value, label, count }) => (
        <label key={value} className="clear-both flex min-h-7 cursor-pointer items-center gap-2 py-0.5 text-13">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) => toggle(value, target.checked)}
            className="size-4 shrink-0 cursor-pointer accent-(--accent)"
          />
          <span className="min-w-0 grow">{label}</span>
          {count === undefined ? null : (
            <span className="text-12 text-muted tabular-nums">
              {isEstimate ? t('aboutCount', { count: format.number(count) }) : format.number(count)}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
