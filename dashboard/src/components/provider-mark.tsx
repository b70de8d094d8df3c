/** The mark of a sign-in provider, in the color of the text around it. */
import { ids, url } from 'virtual:provider-marks'
import { clsx } from 'clsx'

interface ProviderMarkProps {
  readonly id: string
  readonly name: string
  readonly className?: string
}

const firstLetter = (name: string): string => ([...name.trim()][0] ?? '').toUpperCase()

/** Providers without a mark of their own have the first letter of their name. */
export const ProviderMark = ({ id, name, className }: ProviderMarkProps) =>
  ids.includes(id) ? (
    <svg aria-hidden="true" fill="currentColor" className={clsx('size-4.5 shrink-0', className)}>
      <use href={`${url}#${id}`} />
    </svg>
  ) : (
    <span
      aria-hidden="true"
      className={clsx(
        'grid size-4.5 shrink-0 place-content-center rounded-sm border border-current text-12 leading-none font-semibold',
        className,
      )}
    >
      {firstLetter(name)}
    </span>
  )
