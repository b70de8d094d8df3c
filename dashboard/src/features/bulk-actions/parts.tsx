/** Bulk actions in words and shapes. */
import { Tag } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { BulkAction } from './data.ts'
import { messages } from './index.ts'

const titles = {
  ban: 'ban',
  unban: 'unban',
  'revoke-sessions': 'revokeSessions',
  'set-role': 'setRole',
  remove: 'remove',
} as const satisfies Record<BulkAction['action'], string>

export function useActionTitle(): (action: BulkAction) => string {
  const t = useMessages(messages)
  return ({ action }) => t(titles[action])
}

const states = {
  running: ['accent', 'running'],
  paused: ['brass', 'paused'],
  completed: ['success', 'completed'],
  canceled: ['neutral', 'canceled'],
  stopped: ['danger', 'stopped'],
} as const

export function StateTag({ action: { state } }: { readonly action: BulkAction }) {
  const t = useMessages(messages)
  const [tone, text] = states[state]
  return <Tag tone={tone}>{t(text)}</Tag>
}

export function Progress({ action: { done, failed, skipped, total } }: { readonly action: BulkAction }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const settled = done + failed + skipped
  const text = t('progress', { done: format.number(settled), total: format.number(total) })
  return (
    <div className="grid min-w-36 gap-1 text-12 text-muted tabular-nums">
      <progress
        value={settled}
        max={total}
        aria-label={text}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-fill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-accent"
      />
      <span>
        {text}
        {failed > 0 ? <span className="text-danger"> · {t('failedCount', { count: failed })}</span> : null}
      </span>
    </div>
  )
}
