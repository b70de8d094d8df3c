/** The filters of the audit log, also those of the facets. */
import { type FilterChoice, type FilterField, Filters } from '../../components/filters.tsx'
import type { AuditEvent } from '../../events/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { actorKinds, type EventFilter, type ExactName, exactNames, groupNames, outcomes, type RangeName, ranges } from './data.ts'
import { groupKeys } from './facets.tsx'
import { messages } from './index.ts'

const rangeKeys = { '1h': 'hourRange', '24h': 'dayRange', '7d': 'weekRange', '30d': 'monthRange' } as const
const rangeNames = Object.keys(ranges) as RangeName[]

const exactKeys = {
  actorId: 'actorIdIs',
  userId: 'userIdIs',
  organizationId: 'organizationIdIs',
  targetId: 'targetIdIs',
  ipAddress: 'ipAddressIs',
  requestId: 'requestIdIs',
} as const satisfies Record<ExactName, string>

/** No filter and no search: values of the parameters of the address. */
export const unfiltered = Object.fromEntries(
  [...exactNames, 'search', 'outcome', 'actor', 'group', 'action', 'range', 'from', 'until'].map((name) => [name, undefined]),
)

export const isFiltered = ({ outcome, actorKind, group, ...rest }: EventFilter): boolean =>
  outcome.length + actorKind.length + group.length > 0 || Object.values(rest).some((value) => value !== undefined)

interface Props {
  readonly filter: EventFilter
  /** Those that are shown: they have the names of the IDs. */
  readonly events: readonly AuditEvent[]
}

/** The name of a user or organization that one of the events names. */
function nameOf(name: ExactName, id: string, events: readonly AuditEvent[]): string {
  if (name === 'organizationId') return events.find(({ organization }) => organization?.id === id)?.organization?.name ?? id
  if (name !== 'actorId' && name !== 'userId') return id
  const users = events.flatMap(({ actor, user, impersonatedBy }) => [actor, user, impersonatedBy])
  return users.find((one) => one?.id === id && one.name)?.name ?? id
}

function useFields({ filter, events }: Props): readonly FilterField[] {
  const t = useMessages(messages)
  const { action, range } = filter
  const choice = (any: string, options: readonly FilterChoice[]) =>
    ({ kind: 'choice', options: [{ value: '', label: any }, ...options] }) as const
  const facet = (name: string, label: string, chosen: readonly string[], any: string, options: readonly FilterChoice[]) => ({
    ...{ name, label, value: chosen.join(',') || undefined },
    ...choice(any, options),
  })
  // A range takes precedence over days.
  const day = (name: 'from' | 'until') =>
    ({
      ...{ name, label: t(name), value: filter[name], sentence: range === undefined ? t(name) : undefined },
      kind: 'day',
      isHidden: (values: Readonly<Record<string, string>>) => Boolean(values.range),
    }) as const
  const labelled = <T extends string>(values: readonly T[], label: (value: T) => string) =>
    values.map((value) => ({ value, label: label(value) }))
  return [
    {
      ...{ name: 'range', label: t('when'), value: range, sentence: t('whenIs') },
      ...choice(
        t('anyTime'),
        labelled(rangeNames, (value) => t(rangeKeys[value])),
      ),
    },
    facet('outcome', t('outcome'), filter.outcome, t('anyOutcome'), labelled(outcomes, t)),
    facet(
      'group',
      t('actionGroup'),
      filter.group,
      t('anyAction'),
      labelled(groupNames, (value) => t(groupKeys[value])),
    ),
    facet('actor', t('actor'), filter.actorKind, t('anyActor'), labelled(actorKinds, t)),
    day('from'),
    day('until'),
    { name: 'action', label: t('actionIs'), kind: 'chip', value: action, sentence: t('actionIs') },
    ...exactNames.map((name) => {
      const value = filter[name]
      const shown = value === undefined ? '' : nameOf(name, value, events)
      return { ...{ name, label: t(name), value, sentence: t(exactKeys[name]) }, kind: 'text', shown } as const
    }),
  ]
}

export function EventFilters(props: Props) {
  const t = useMessages(messages)
  const { outcome, group, actorKind } = props.filter
  const others = [outcome, group, actorKind].filter(({ length }) => length > 0).length
  return (
    <Filters
      fields={useFields(props)}
      title={t('filterEvents')}
      applyLabel={t('showEvents')}
      unfiltered={unfiltered}
      others={others}
    />
  )
}
