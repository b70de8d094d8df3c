/** Parts of tables: heads of columns by which rows can be sorted, check boxes of rows, and the buttons for other pages. */
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { Button } from './button.tsx'

export const headLook =
  'h-9 px-3 text-start text-12 whitespace-nowrap font-medium text-muted first:rounded-ss-card last:rounded-se-card'
/** Columns that give way to the others on narrow screens; cards have room for all. */
export const wideOnly = 'card:max-[76rem]:hidden'

/** A button in the head of a column by which the rows can be sorted. */
interface Sorting {
  readonly label: string
  readonly sort: { readonly direction: 'asc' | 'desc' | null; readonly onSort: () => void }
}

export interface Column {
  readonly label: string
  readonly isWideOnly?: boolean
  readonly sort?: Sorting['sort'] | undefined
  /** A second value of the column by which the rows can be sorted, such as the email below a name. */
  readonly also?: Sorting
}

export interface Selection {
  /** Names the check box. */
  readonly label: string
  /** `mixed`: some of the rows. */
  readonly isSelected: boolean | 'mixed'
  readonly onToggle: () => void
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

export function ColumnHead({ label, isWideOnly, sort, also }: Column) {
  const sorted = [sort, also?.sort].find((each) => each?.direction)?.direction
  return (
    <th scope="col" aria-sort={sorted ? ariaSort[sorted] : undefined} className={clsx(headLook, isWideOnly && wideOnly)}>
      {sort ? <SortButton label={label} sort={sort} /> : label}
      {also ? <SortButton {...also} /> : null}
    </th>
  )
}

function SortButton({ label, sort: { direction, onSort } }: Sorting) {
  const Icon = direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      onClick={onSort}
      className={clsx(
        '-ms-1 me-2 inline-flex min-h-6 cursor-pointer items-center gap-1 rounded-sm px-1 hover:text-text',
        direction && 'text-text',
      )}
    >
      {label}
      {direction ? <Icon aria-hidden className="size-3.5" /> : null}
    </button>
  )
}

export const SelectBox = ({ label, isSelected, onToggle }: Selection) => (
  <label className="grid size-6 cursor-pointer place-items-center">
    <span className="sr-only">{label}</span>
    <input
      type="checkbox"
      checked={isSelected === true}
      ref={(box) => {
        if (box) box.indeterminate = isSelected === 'mixed'
      }}
      onChange={onToggle}
      className="size-4 cursor-pointer accent-(--accent)"
    />
  </label>
)

export interface PageButtonsProps {
  /** Undefined on the first page. */
  readonly goBack: (() => void) | undefined
  /** Undefined on the last page. */
  readonly goNext: (() => void) | undefined
}

export function PageButtons({ goBack, goNext }: PageButtonsProps) {
  const t = useFrameMessages()
  const buttons = useRef<HTMLFieldSetElement>(null)
  // Another page starts at its top, and so does the keyboard: the button may be disabled there.
  const open = (go: (() => void) | undefined) => {
    go?.()
    buttons.current?.closest(':has([data-list])')?.querySelector<HTMLElement>('[data-list]')?.focus()
  }
  return (
    <fieldset ref={buttons} aria-label={t('pages')} className="flex gap-2">
      <Button disabled={!goBack} onClick={() => open(goBack)}>
        <ChevronLeft aria-hidden className="size-4 rtl:rotate-180" />
        {t('previous')}
      </Button>
      <Button disabled={!goNext} onClick={() => open(goNext)}>
        {t('next')}
        <ChevronRight aria-hidden className="size-4 rtl:rotate-180" />
      </Button>
    </fieldset>
  )
}
