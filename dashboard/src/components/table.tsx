/** Tables that become cards below 640 px, with the search above them. */
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { Card } from './layout.tsx'
import { type Column, ColumnHead, headLook, SelectBox, type Selection, wideOnly } from './table-parts.tsx'

/** Said explicitly: as cards, the parts of the table have another `display`, which removes their roles in some browsers. */
const roles = { table: { role: 'table' }, rowgroup: { role: 'rowgroup' }, row: { role: 'row' }, cell: { role: 'cell' } } as const

interface TableProps {
  readonly columns: readonly Column[]
  /** Whether the last column has a button or menu for each row. */
  readonly hasActions?: boolean
  /** Of all rows of the page. */
  readonly selection?: Selection | undefined
  /** Of the table, when the heading above it does not name it. */
  readonly label?: string
  readonly children: ReactNode
  /** Below the rows, such as `Pages`. */
  readonly footer?: ReactNode
}

export function Table({ columns, hasActions = false, selection, label, children, footer }: TableProps) {
  const t = useFrameMessages()
  return (
    <Card>
      <table {...roles.table} aria-label={label} tabIndex={-1} data-list className="block w-full text-13 outline-none card:table">
        <thead className="sr-only bg-sunken card:not-sr-only card:table-header-group">
          <tr>
            {selection ? (
              <th scope="col" className={clsx(headLook, 'pe-0')}>
                <SelectBox {...selection} />
              </th>
            ) : null}
            {columns.map((column) => (
              <ColumnHead key={column.label} {...column} />
            ))}
            {hasActions ? (
              <th scope="col" className={headLook}>
                <span className="sr-only">{t('actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody {...roles.rowgroup} className="block divide-y divide-border card:table-row-group">
          {children}
        </tbody>
      </table>
      {footer}
    </Card>
  )
}

interface RowProps {
  /** The thing, with its avatar or icon. */
  readonly head: ReactNode
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** In a card, the action stands below the values: room for several buttons. */
  readonly isActionBelow?: boolean
  readonly selection?: Selection | undefined
}

const actionLook = 'block card:static card:table-cell card:px-3 card:text-end'

export const Row = ({ head, children, action, isActionBelow = false, selection }: RowProps) => (
  <tr
    {...roles.row}
    className={clsx(
      'relative block py-3 card:table-row card:h-(--row) card:py-0',
      selection?.isSelected === true ? 'bg-accent-soft' : 'card:hover:bg-hover',
    )}
  >
    {selection ? (
      <td {...roles.cell} className="absolute start-3 top-4 block card:static card:table-cell card:py-(--cell) card:ps-3">
        <SelectBox {...selection} />
      </td>
    ) : null}
    <td
      {...roles.cell}
      className={clsx(
        'block px-4 pb-2 card:table-cell card:w-full card:max-w-0 card:px-3 card:py-(--cell)',
        selection && 'ps-11 card:ps-3',
      )}
    >
      {head}
    </td>
    {children}
    {action === undefined ? null : (
      <td
        {...roles.cell}
        className={clsx(actionLook, isActionBelow ? 'px-4 pt-2 empty:hidden card:pt-0' : 'absolute end-4 top-3')}
      >
        {action}
      </td>
    )}
  </tr>
)

interface RowHeadProps {
  readonly icon?: ReactNode
  readonly name: string
  readonly tag?: ReactNode
  readonly detail?: ReactNode
  /** The page of the thing. */
  readonly to?: string
  /** Space for the action in a card: more for a button with a text than for a menu. Without any, the name takes several lines. */
  readonly room?: 'menu' | 'button' | 'none'
}

const rooms = { menu: 'pe-12', button: 'pe-28', none: '' } as const
const wrapsInCard = 'wrap-anywhere card:truncate'

export const RowHead = ({ icon, name, tag, detail, to, room = 'menu' }: RowHeadProps) => (
  <div className={clsx('flex items-center gap-3 card:pe-0', rooms[room])}>
    {icon}
    <div className="min-w-0 grow">
      <div className="flex min-w-0 items-center gap-1.5">
        <span className={clsx(room === 'none' ? wrapsInCard : 'truncate', 'font-medium')} title={name}>
          {to === undefined ? (
            <bdi>{name}</bdi>
          ) : (
            <Link to={to} className="rounded-sm hover:underline">
              <bdi>{name}</bdi>
            </Link>
          )}
        </span>
        {tag}
      </div>
      {detail ? <div className={clsx(room === 'none' ? wrapsInCard : 'truncate', 'text-12 text-muted')}>{detail}</div> : null}
    </div>
  </div>
)

interface CellProps extends Omit<Column, 'sort' | 'also'> {
  /** The text may have several lines, such as that of several tags. */
  readonly isWrapping?: boolean
  readonly children: ReactNode
}

/** In a card, the name of the column stands before the value. */
export const Cell = ({ label, isWideOnly = false, isWrapping = false, children }: CellProps) => (
  <td
    {...roles.cell}
    className={clsx(
      'flex items-baseline gap-3 px-4 py-0.5 card:table-cell card:px-3 card:py-(--cell)',
      isWrapping || 'card:whitespace-nowrap',
      isWideOnly && wideOnly,
    )}
  >
    <span aria-hidden className="w-29 shrink-0 text-muted card:hidden">
      {label}
    </span>
    <span className="min-w-0">{children}</span>
  </td>
)

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'type' | 'onChange'> {
  readonly label: string
  /** What the search matches. */
  readonly placeholder: string
  readonly onSearch: (text: string) => void
}

export function SearchField({ label, placeholder, onSearch, ...control }: SearchFieldProps) {
  const id = useId()
  return (
    <div className="relative min-w-0 grow basis-60 card:max-w-80">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 start-2.5 my-auto size-4 text-muted" />
      <input
        autoComplete="off"
        spellCheck={false}
        {...control}
        id={id}
        type="search"
        placeholder={placeholder}
        onChange={(event) => onSearch(event.target.value)}
        className="block min-h-[max(2.25rem,var(--target))] w-full rounded-control border border-control bg-surface ps-8.5 pe-2.5 text-14 text-text placeholder:text-muted focus-visible:border-accent"
      />
    </div>
  )
}

interface FilterProps {
  /** What is filtered, such as the role. */
  readonly label: string
  readonly value: string
  /** The first one stands for all. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

/** A filter of a list, which says what it shows: "Any role". */
export const Filter = ({ label, value, options, onChange }: FilterProps) => (
  <select
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={clsx(
      'min-h-[max(2.25rem,var(--target))] max-w-full min-w-0 card:max-w-48 rounded-control border bg-surface px-2.5 py-1.5 text-13 text-ellipsis',
      value === options[0]?.value ? 'border-control text-muted' : 'border-accent font-medium text-text',
    )}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
)
