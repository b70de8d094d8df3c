/** An action on one or several users: one call for each, with progress, a way to stop it, and a list of those that failed. */
import { type ComponentProps, useRef, useState } from 'react'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote, Note, useCountdown } from '../../components/feedback.tsx'
import { useErrorText } from '../../errors.ts'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { callPatiently, type Pause } from '../../rate-limit.ts'
import { refreshAdmin, type User } from './data.ts'
import { messages } from './index.ts'
import { useDisplayName } from './user-parts.tsx'

interface Failure {
  readonly user: User
  readonly error: unknown
}

interface Progress {
  readonly done: number
  /** Those whose call failed, and those that a stop has left. */
  readonly left: readonly User[]
  /** Those of this run. */
  readonly users: readonly User[]
  readonly failures: readonly Failure[]
  readonly isRunning: boolean
  readonly isStopped: boolean
  /** While the API accepts no more requests. */
  readonly pause: Pause | undefined
}

const idle = { done: 0, users: [], failures: [], isRunning: false, isStopped: false, pause: undefined } as const

/** Sessions that ended, and users that were changed, in all runs of a dialog. */
interface Sum {
  count: number
  sessions: number
}

/** @param act makes the call for one user, and returns how many sessions it has revoked */
function useBatch(all: readonly User[], act: (user: User) => Promise<number>) {
  const [progress, setProgress] = useState<Progress>({ ...idle, left: all })
  const stop = useRef<AbortController>(null)
  const sum = useRef<Sum>({ count: 0, sessions: 0 })
  // For one user the dialog counts down itself, and the administrator decides.
  const actOnce = (user: User, signal: AbortSignal): Promise<number> =>
    all.length === 1
      ? act(user)
      : callPatiently(
          () => act(user),
          signal,
          (pause) => setProgress((former) => ({ ...former, pause })),
        )
  const start = async (): Promise<Sum | null> => {
    const users = progress.left
    const controller = new AbortController()
    stop.current = controller
    const { signal } = controller
    let failures: readonly Failure[] = []
    let done = 0
    setProgress({ ...idle, users, left: users, isRunning: true })
    for (const user of users) {
      if (signal.aborted) break
      try {
        sum.current.sessions += await actOnce(user, signal)
        sum.current.count += 1
      } catch (error) {
        failures = [...failures, { user, error }]
      }
      done += 1
      const left = [...failures.map((failure) => failure.user), ...users.slice(done)]
      setProgress((former) => ({ ...former, done, failures, left }))
    }
    setProgress((former) => ({ ...former, isRunning: false, isStopped: signal.aborted }))
    return failures.length === 0 && done === users.length ? sum.current : null
  }
  return { progress, start, stop: () => stop.current?.abort() }
}

export interface BatchResult {
  /** Of the user, if it is one. */
  readonly name: string
  readonly count: number
  readonly sessions: number
}

interface Props {
  readonly users: readonly User[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly confirmLabel: string
  readonly variant?: 'danger-filled' | 'primary'
  readonly isConfirmDisabled?: boolean
  readonly typed?: NonNullable<ComponentProps<typeof ConfirmDialog>['typed']>
  /** Makes the call for one user. @returns how many sessions it has revoked */
  readonly act: (user: User) => Promise<number>
  /** When all succeeded. */
  readonly onDone: (result: BatchResult) => void | Promise<void>
  readonly focusAfter?: React.RefObject<HTMLElement | null>
  /** What will happen, and what must be entered. */
  readonly children: React.ReactNode
}

export function BatchDialog({ users, isOpen, onClose, act, onDone, confirmLabel, children, ...dialog }: Props) {
  const t = useMessages(messages)
  const display = useDisplayName()
  const { progress, start, stop } = useBatch(users, act)
  const { isRunning, isStopped, failures, left } = progress
  const confirm = async () => {
    const sum = await start()
    if (sum) {
      onClose()
      // First: the page of a deleted user must not read it again.
      await onDone({ ...sum, name: users[0] ? display(users[0]) : '' })
    }
    await refreshAdmin()
  }
  const isBatch = users.length > 1
  const goesOn = isBatch && !isRunning && (failures.length > 0 || isStopped)
  return (
    <ConfirmDialog
      {...dialog}
      isOpen={isOpen}
      onClose={() => (isRunning ? stop() : onClose())}
      cancelLabel={isRunning && isBatch ? t('stop') : undefined}
      confirmLabel={goesOn ? t('goOn', { count: left.length }) : confirmLabel}
      isBusy={isRunning}
      onConfirm={() => void confirm()}
    >
      {children}
      {isBatch ? <BatchProgress progress={progress} /> : failures.map(({ error }) => <ErrorNote key="only" error={error} />)}
    </ConfirmDialog>
  )
}

function BatchProgress({ progress: { done, users, failures, isRunning, isStopped, pause } }: { readonly progress: Progress }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const left = useCountdown(pause, pause?.seconds)
  const numbers = { done: format.number(done), total: format.number(users.length) }
  return (
    <>
      {isRunning ? (
        <div className="grid gap-1.5 text-13">
          <progress
            value={done}
            max={users.length}
            aria-label={t('progress', numbers)}
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-fill [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-accent-fill"
          />
          <p className="text-muted tabular-nums">{t('progress', numbers)}</p>
          {pause ? <p role="status">{t('paused', { time: format.duration(left) })}</p> : null}
        </div>
      ) : null}
      {isStopped && !isRunning ? <Note isLive>{t('stopped', numbers)}</Note> : null}
      {failures.length > 0 && !isRunning ? <Failures failures={failures} /> : null}
    </>
  )
}

function Failures({ failures }: { readonly failures: readonly Failure[] }) {
  const t = useMessages(messages)
  const errorText = useErrorText()
  return (
    <Note tone="danger" title={t('failures', { count: failures.length })} isLive>
      <ul className="max-h-48 overflow-y-auto">
        {failures.map(({ user, error }) => {
          const { sentence, code } = errorText(error)
          return (
            <li key={user.id} className="py-1">
              <bdi className="font-medium">{user.email}</bdi>: {sentence} <span className="font-mono text-12">{code}</span>
            </li>
          )
        })}
      </ul>
    </Note>
  )
}
