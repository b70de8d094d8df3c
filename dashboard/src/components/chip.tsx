/** A filter as a sentence, such as "Status is Banned". Below 640 px, a button with their number stands for all of them. */
import { X } from 'lucide-react'

interface Props {
  /** What is filtered, and how: "Status is". */
  readonly field: string
  readonly value: string
  readonly removeLabel: string
  readonly onOpen: () => void
  readonly onRemove: () => void
}

export const Chip = ({ field, value, removeLabel, onOpen, onRemove }: Props) => (
  <span className="hidden min-h-(--target) max-w-full items-center rounded-control border border-border-strong bg-surface text-13 card:inline-flex">
    <button type="button" onClick={onOpen} className="max-w-80 min-w-0 cursor-pointer truncate rounded-control py-1 ps-2.5 pe-1">
      <span className="text-muted">{field}</span> <bdi className="font-medium">{value}</bdi>
    </button>
    <button
      type="button"
      aria-label={removeLabel}
      onClick={onRemove}
      className="grid size-7 shrink-0 cursor-pointer place-content-center rounded-control text-muted hover:bg-hover hover:text-text"
    >
      <X aria-hidden className="size-3.5" />
    </button>
  </span>
)
