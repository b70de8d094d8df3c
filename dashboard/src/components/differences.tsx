/** What saving would add, change and remove, shown before it is saved. */
import { clsx } from 'clsx'
import { useFrameMessages } from '../messages/index.ts'
import type { Difference } from './difference.ts'

interface Props {
  readonly differences: readonly Difference[]
}

/** Announced as it changes. Nothing is shown when nothing changes. */
export function Differences({ differences }: Props) {
  const t = useFrameMessages()
  return (
    <div role="status">
      {differences.length === 0 ? null : (
        <>
          <p className="mb-1 text-13 font-medium">{t('changesToSave')}</p>
          <ul className="overflow-hidden rounded-control border border-border text-13">
            {differences.map(({ path, kind, before, after }) => (
              <li key={path} className="border-b border-border px-3 py-1.5 last:border-b-0">
                <span className="text-12 text-muted">{t(`change-${kind}`)} </span>
                <bdi translate="no" className="font-mono text-12 wrap-anywhere">
                  {path}
                </bdi>
                {kind === 'added' ? null : <Value sign="−" label={t('formerValue')} value={before} />}
                {kind === 'removed' ? null : <Value sign="+" label={t('newValue')} value={after} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

interface ValueProps {
  readonly sign: '−' | '+'
  readonly label: string
  readonly value: unknown
}

/** With a sign, because color alone does not distinguish the two. */
const Value = ({ sign, label, value }: ValueProps) => (
  <span
    className={clsx(
      'mt-0.5 flex gap-2 rounded-sm px-1.5 font-mono text-12',
      sign === '+' ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
    )}
  >
    <span aria-hidden>{sign}</span>
    <span className="sr-only">{label}: </span>
    <bdi translate="no" className="min-w-0 wrap-anywhere">
      {textOf(value)}
    </bdi>
  </span>
)
