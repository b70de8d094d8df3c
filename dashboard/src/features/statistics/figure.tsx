/** A figure: its headline, a chart with its values as a table behind it, and the way to the list of what it counts. */
import { clsx } from 'clsx'
import { type ReactNode, useId, useState } from 'react'
import { TextLink } from '../../components/button.tsx'
import { type ChartTone, Key } from '../../components/charts.tsx'
import { Card } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

export interface Headline {
  readonly name: string
  readonly value: string
  /** After the value. */
  readonly detail?: string | undefined
  readonly tone?: ChartTone
}

export interface TableData {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Props {
  /** The first one names the figure. */
  readonly headlines: readonly [Headline, ...Headline[]]
  readonly chart: ReactNode
  readonly table?: TableData
  /** The filtered list; absent: there is none, or the user may not open it. */
  readonly link?: { readonly label: string; readonly to: string; readonly search?: Readonly<Record<string, string>> } | undefined
  /** Below the chart. */
  readonly note?: ReactNode
  readonly className?: string
}

export function Figure({ headlines, chart, table, link, note, className }: Props) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  const [main] = headlines
  return (
    <section aria-labelledby={id} className={clsx('grid', className)}>
      <Card className="flex flex-col p-4 card:px-5">
        <div className="mb-4 flex items-start gap-3">
          <div className="flex min-w-0 grow flex-wrap gap-x-6 gap-y-2">
            {headlines.map((headline) => (
              <HeadlineBlock key={headline.name} {...headline} id={headline === main ? id : undefined} />
            ))}
          </div>
          {table ? <ViewSwitch isTable={isTable} onChange={setTable} /> : null}
        </div>
        {isTable && table ? <Values label={main.name} {...table} /> : chart}
        {note ? <p className="pt-3 text-13 text-muted">{note}</p> : null}
        {link ? (
          <p className="mt-auto pt-3 text-13">
            <TextLink to={link.to as string} search={link.search ?? {}}>
              {link.label}
            </TextLink>
          </p>
        ) : null}
      </Card>
    </section>
  )
}

function HeadlineBlock({ id, name, value, detail, tone }: Headline & { readonly id: string | undefined }) {
  const Name = id === undefined ? 'p' : 'h2'
  return (
    <div>
      <Name id={id} className="flex items-center gap-1.5 text-13 font-medium text-muted">
        {tone ? <Key tone={tone} /> : null}
        {name}
      </Name>
      <p className="flex flex-wrap items-baseline gap-x-2 text-24 font-semibold tabular-nums max-card:text-20">
        {value}
        {detail ? <span className="text-12 font-normal text-muted">{detail}</span> : null}
      </p>
    </div>
  )
}

interface SwitchProps {
  readonly isTable: boolean
  readonly onChange: (isTable: boolean) => void
}

export const segments = 'inline-flex shrink-0 rounded-control border border-border bg-sunken p-0.5'
export const segment = (isCurrent: boolean): string =>
  clsx(
    'flex min-h-7 cursor-pointer items-center rounded-sm px-2 text-12 font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
    isCurrent ? 'bg-surface text-text shadow-[0_0_0_1px_var(--border-strong)]' : 'text-muted hover:text-text',
  )

function ViewSwitch({ isTable, onChange }: SwitchProps) {
  const t = useMessages(messages)
  const name = useId()
  const option = (label: string, value: boolean) => (
    <label className={segment(isTable === value)}>
      <input type="radio" name={name} checked={isTable === value} onChange={() => onChange(value)} className="sr-only" />
      {label}
    </label>
  )
  return (
    <fieldset aria-label={t('view')} className={segments}>
      {option(t('chart'), false)}
      {option(t('table'), true)}
    </fieldset>
  )
}

/** Numbers align at the end; the newest row stands first. */
const Values = ({ label, columns, rows }: TableData & { readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
  <fieldset aria-label={label} tabIndex={0} className="relative max-h-64 min-w-0 overflow-y-auto rounded-sm">
    <table className="w-full text-13">
      <thead>
        <tr>
          {columns.map((column, position) => (
            <th
              key={column}
              scope="col"
              className={clsx(
                'sticky top-0 border-b border-border bg-surface py-1.5 text-12 font-medium text-muted',
                position === 0 ? 'text-start' : 'ps-2 text-end',
              )}
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...values]) => (
          <tr key={first} className="border-b border-border last:border-b-0">
            <th scope="row" className="py-1.5 text-start font-normal wrap-anywhere">
              {first}
            </th>
            {values.map((value, position) => (
              <td key={columns[position + 1]} className="py-1.5 ps-2 text-end">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </fieldset>
)
