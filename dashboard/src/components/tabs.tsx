/** Tabs that are links: each has an address. */
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useLocale } from '../i18n/messages.ts'

interface Tab {
  readonly label: string
  /** After the label. */
  readonly count?: number | string | undefined
  /** Its path; default: that of the page. */
  readonly to?: string
  /** The parameters of its address; those of the other tabs are left out. */
  readonly search?: Readonly<Record<string, string | undefined>>
  readonly isCurrent: boolean
}

interface Props {
  /** Of the navigation. */
  readonly label: string
  readonly tabs: readonly Tab[]
  /** At the end of the line. */
  readonly children?: ReactNode
}

export function Tabs({ label, tabs, children }: Props) {
  const { format } = useLocale()
  return (
    <div className="mb-4 flex flex-wrap items-end gap-x-4 border-b border-border">
      <nav aria-label={label} className="-mb-px flex min-w-0 flex-wrap gap-x-5">
        {tabs.map((tab) => (
          <Link
            key={tab.label}
            to={tab.to ?? '.'}
            search={(tab.search ?? {}) as never}
            activeProps={{ 'aria-current': undefined }}
            aria-current={tab.isCurrent ? 'page' : undefined}
            className={clsx(
              'flex min-h-(--target) max-w-full min-w-0 items-center gap-1.5 wrap-anywhere border-b-2 py-1.5 text-13 font-medium',
              tab.isCurrent ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="font-normal text-muted tabular-nums">
                {typeof tab.count === 'string' ? tab.count : format.number(tab.count)}
              </span>
            )}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  )
}
