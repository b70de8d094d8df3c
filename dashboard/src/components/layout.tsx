/** Parts of pages: heads, cards, facts, tags. */
import { clsx } from 'clsx'
import { BadgeCheck, CircleDashed } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'

interface PageHeadProps {
  readonly title: string
  /** One line of explanation. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export const PageHead = ({ title, children, actions }: PageHeadProps) => (
  <div className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3">
    <div className="min-w-0">
      <h1 className="text-20">{title}</h1>
      {children ? <p className="mt-0.5 text-muted">{children}</p> : null}
    </div>
    {actions ? <div className="flex flex-wrap gap-2 card:ms-auto">{actions}</div> : null}
  </div>
)

interface SectionProps {
  readonly title: string
  readonly description?: ReactNode
  /** After the title, such as a count. */
  readonly detail?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  /** Behind a hairline, for what cannot be undone. */
  readonly isDanger?: boolean
}

export function Section({ title, description, detail, actions, children, isDanger = false }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={clsx(isDanger ? 'mt-12 border-t border-border pt-6' : 'mt-8 first:mt-0')}>
      <div className="mb-3 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0">
          <h2 id={id} className={clsx('inline text-16', isDanger && 'text-danger')}>
            {title}
          </h2>
          {detail === undefined ? null : <span className="ms-2 text-13 text-muted tabular-nums">{detail}</span>}
          {description ? <p className="text-13 text-muted">{description}</p> : null}
        </div>
        {actions ? <div className="flex gap-2 card:ms-auto">{actions}</div> : null}
      </div>
      {children}
    </section>
  )
}

interface SettingProps {
  readonly title: string
  /** What it is for. */
  readonly description?: ReactNode
  readonly children: ReactNode
  readonly isDanger?: boolean
}

/** Something that the user can change: what it is for at the start, then its form or list, or below where there is no room. */
export function Setting({ title, description, children, isDanger = false }: SettingProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-8 gap-y-3 columns:grid-cols-[minmax(14rem,1fr)_minmax(0,44rem)] [section+&]:mt-8 columns:[section+&]:border-t columns:[section+&]:border-border columns:[section+&]:pt-8"
    >
      <div className="min-w-0">
        <h2 id={id} className={clsx('text-16', isDanger && 'text-danger')}>
          {title}
        </h2>
        {description ? <div className="max-w-[68ch] text-13 text-muted columns:mt-1">{description}</div> : null}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

export const Card = ({ children, className }: { readonly children: ReactNode; readonly className?: string }) => (
  <div className={clsx('min-w-0 rounded-card border border-border bg-surface', className)}>{children}</div>
)

/** A list of things with an action each, inside a card. */
export const Lines = ({ children }: { readonly children: ReactNode }) => (
  <ul className="divide-y divide-border text-13">{children}</ul>
)

interface LineProps {
  readonly title: ReactNode
  readonly children?: ReactNode
  readonly icon?: ReactNode
  readonly action?: ReactNode
}

export const Line = ({ title, children, icon, action }: LineProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5">
    {icon}
    <div className="min-w-0 grow basis-48 card:basis-60">
      <div className="font-medium wrap-anywhere">{title}</div>
      {children ? <div className="max-w-[84ch] text-muted wrap-anywhere">{children}</div> : null}
    </div>
    {action}
  </li>
)

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** One column, in a narrow card. */
  readonly isNarrow?: boolean
}

/** Names and values, in two columns where there is room. The line below the last row, of one or two, is clipped. */
export const Facts = ({ facts, isNarrow = false }: FactsProps) => (
  <div className="@container">
    <dl className={clsx('-mb-px grid gap-x-6 text-13 [clip-path:inset(-4px_-4px_1px)]', isNarrow || '@min-[39rem]:grid-cols-2')}>
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="grid min-h-10 grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-2 border-b border-border py-1.5"
        >
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  </div>
)

type TagTone = 'neutral' | 'accent' | 'brass' | 'danger' | 'success'
const tagTones: Record<TagTone, string> = {
  neutral: 'bg-fill text-muted',
  accent: 'bg-accent-soft text-accent',
  brass: 'bg-brass-soft text-brass',
  danger: 'bg-danger-soft text-danger',
  success: 'bg-success-soft text-success',
}
export const Tag = ({ tone = 'neutral', children }: { readonly tone?: TagTone; readonly children: ReactNode }) => (
  <span
    className={clsx('inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-12 font-medium whitespace-nowrap', tagTones[tone])}
  >
    {children}
  </span>
)

/** Whether an email address or a phone number is verified. */
export function EmailTag({ isVerified }: { readonly isVerified: boolean }) {
  const t = useFrameMessages()
  const Icon = isVerified ? BadgeCheck : CircleDashed
  return (
    <Tag tone={isVerified ? 'success' : 'brass'}>
      <Icon aria-hidden className="size-3.5" />
      {isVerified ? t('verified') : t('unverified')}
    </Tag>
  )
}

/** A square with an icon, at the start of a line. */
export const IconTile = ({ children }: { readonly children: ReactNode }) => (
  <span aria-hidden className="grid size-8 shrink-0 place-content-center rounded-control bg-fill text-muted">
    {children}
  </span>
)

type TimeStyle = 'relative' | 'date' | 'shortDate' | 'dateTime'

/** A time in the words of the locale; its title is the exact time in UTC. */
export function Time({ value, style = 'relative' }: { readonly value: string | Date; readonly style?: TimeStyle }) {
  const t = useFrameMessages()
  const { format } = useLocale()
  const date = new Date(value)
  const exact = date.toISOString()
  const text = style === 'relative' ? format.relative(date, new Date()) : format[style](date)
  return (
    <time dateTime={exact} title={t('utc', { time: exact.slice(0, 19).replace('T', ' ') })}>
      {text}
    </time>
  )
}
