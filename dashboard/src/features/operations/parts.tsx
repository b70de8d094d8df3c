/** What the pages of operators share: a status, durations, commands. */
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { CodeBlock } from '../../components/feedback.tsx'
import { IconTile } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

export type Tone = 'ok' | 'warning' | 'failed' | 'waiting' | 'quiet'

const shapes: Record<Tone, string> = {
  ok: 'rounded-full bg-success forced-colors:bg-[CanvasText]',
  warning: 'rounded-full border-2 border-brass',
  failed: 'rounded-[2px] bg-danger forced-colors:bg-[CanvasText]',
  waiting: 'rounded-full border-2 border-info',
  quiet: 'rounded-full bg-control forced-colors:bg-[GrayText]',
}

/** A shape and a word: color alone does not say it. */
export const Status = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className="inline-flex items-center gap-2">
    <span aria-hidden className={clsx('size-2 shrink-0', shapes[tone])} />
    {children}
  </span>
)

/** A line of the command line that does the same. */
export function Command({ code }: { readonly code: string }) {
  const t = useMessages(messages)
  return (
    <div className="pt-1 text-text">
      <CodeBlock code={code} label={t('inTerminal')} copyLabel={t('copyCommand')} />
    </div>
  )
}

export const Code = ({ children }: { readonly children: string }) => (
  <span dir="ltr" translate="no" className="font-mono text-12 wrap-anywhere [font-variant-ligatures:none]">
    {children}
  </span>
)

interface CodeHeadProps {
  readonly icon: ReactNode
  /** As the configuration and the commands write it. */
  readonly name: string
  readonly tag?: ReactNode
  readonly detail?: ReactNode
}

/** The head of a row about something that has a name in code. */
export const CodeHead = ({ icon, name, tag, detail }: CodeHeadProps) => (
  <div className="flex items-center gap-3">
    <IconTile>{icon}</IconTile>
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-1.5">
        <Code>{name}</Code>
        {tag}
      </div>
      {detail ? <div className="text-12 text-muted">{detail}</div> : null}
    </div>
  </div>
)

const units = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
] as const

/** The largest unit that fits, and how many of it, rounded up. */
export function inUnits(seconds: number): { readonly unit: 'days' | 'hours' | 'minutes' | 'seconds'; readonly count: number } {
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? (['seconds', 1] as const)
  return { unit, count: Math.ceil(seconds / size) }
}

/** @returns a function that says a time in the largest unit that fits: 90 seconds are 2 minutes */
export function useDuration(): (seconds: number) => string {
  const t = useMessages(messages)
  return (seconds) => {
    const { unit, count } = inUnits(seconds)
    return t(unit, { count })
  }
}
