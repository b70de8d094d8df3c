/** Dialogs: focus is kept inside, Escape closes, and focus returns to what opened them. */
import { useMutation } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useState } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './feedback.tsx'
import { TextField } from './field.tsx'
import { type Overlays, useOverlays } from './use-overlays.ts'

const backdrop = 'fixed inset-0 bg-scrim transition-opacity duration-180 ease-out starting:opacity-0 data-ending-style:opacity-0'
const popup =
  'fixed inset-x-4 top-[8vh] z-40 mx-auto max-h-[calc(92vh-1rem)] scroll-pb-20 overflow-y-auto rounded-dialog bg-raised wrap-anywhere shadow-dialog transition-[opacity,translate] duration-180 ease-out starting:translate-y-1 starting:opacity-0 data-ending-style:opacity-0'

/** What the dialogs of a page get from it. */
export interface DialogHandlers {
  readonly onClose: () => void
  /** Says what was done. */
  readonly onDone: (text: string) => void
  readonly focusAfter: RefObject<HTMLElement | null>
}

/**
 * What a dialog is about, which it keeps while it closes.
 * @param opened null: the dialog is closed
 * @returns `opening`: the key with which a dialog starts again each time
 */
export function useLast<T extends object>(opened: T | null): { readonly last: T | null; readonly opening: number } {
  const [state, setState] = useState<{ readonly last: T | null; readonly opening: number }>({ last: null, opening: 0 })
  if (opened && opened !== state.last) setState({ last: opened, opening: state.opening + 1 })
  return state
}

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: string
  readonly children?: ReactNode
  /** Buttons, the confirming one last. */
  readonly actions?: ReactNode
  /** For lists. */
  readonly isWide?: boolean
  /** As that of `ConfirmDialog`. */
  readonly focusAfter?: FocusAfter
}

type FocusAfter = RefObject<HTMLElement | null> | undefined

/** Default: what opened the dialog. */
const focusOn = (focusAfter: FocusAfter) => () => (focusAfter?.current?.checkVisibility() ? focusAfter.current : true)

const Footer = ({ children }: { readonly children: ReactNode }) => (
  <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-border bg-raised px-6 py-3">
    {children}
  </div>
)

/** A form or a question that closes without consequences. */
export function Dialog({ isOpen, onClose, title, description, children, actions, isWide = false, focusAfter }: DialogProps) {
  const Base = useOverlays(isOpen)?.Dialog
  return Base ? (
    <Base.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={clsx(backdrop, 'z-40')} />
        <Base.Popup className={clsx(popup, isWide ? 'max-w-150' : 'max-w-110')} finalFocus={focusOn(focusAfter)}>
          <div className="px-6 pt-5">
            <Base.Title className="text-16 font-semibold">{title}</Base.Title>
            {description ? <Base.Description className="mt-0.5 text-13 text-muted">{description}</Base.Description> : null}
          </div>
          <div className="grid gap-4 px-6 pt-4 pb-5">{children}</div>
          {actions ? <Footer>{actions}</Footer> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  ) : null
}

interface SheetProps extends Pick<DialogProps, 'isOpen' | 'onClose' | 'children'> {
  readonly label: string
  /** The side of the window from which it slides in. */
  readonly side: 'start' | 'end'
  readonly className: string
}

const sliding = 'fixed inset-y-0 z-30 overflow-y-auto shadow-dialog transition-[translate] duration-180 ease-out'
const sides = {
  start:
    'start-0 starting:-translate-x-full data-ending-style:-translate-x-full rtl:starting:translate-x-full rtl:data-ending-style:translate-x-full',
  end: 'end-0 starting:translate-x-full data-ending-style:translate-x-full rtl:starting:-translate-x-full rtl:data-ending-style:-translate-x-full',
}

/** A part of the page that has no room next to the rest. */
export function Sheet({ isOpen, onClose, label, side, className, children }: SheetProps) {
  const Base = useOverlays(isOpen)?.Dialog
  return Base ? (
    <Base.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={clsx(backdrop, 'z-30')} />
        <Base.Popup aria-label={label} className={clsx(sliding, sides[side], className)}>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  ) : null
}

interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** A question that names the thing. */
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** Says what happens: "Revoke 4 sessions". */
  readonly confirmLabel: string
  /** What is confirmed. The dialog closes when it has succeeded, and says why it failed. @returns false: it stays open */
  readonly call: () => Promise<unknown>
  readonly isConfirmDisabled?: boolean
  /** Whether to try again would fail in the same way. */
  readonly isFinal?: (error: unknown) => boolean
  /** What the user types before an action that cannot be undone. */
  readonly typed?: { readonly label: string; readonly matches: (text: string) => boolean }
  /** Default: that of something destructive. */
  readonly variant?: 'danger-filled' | 'primary'
  /** Default: "Cancel". */
  readonly cancelLabel?: string | undefined
  /** Gets the focus when the dialog closes and the action has removed what opened it; while it is hidden, what opened it gets it. */
  readonly focusAfter?: FocusAfter
}

interface ContentProps extends Omit<ConfirmProps, 'isOpen' | 'focusAfter'> {
  readonly Base: Overlays['Dialog']
}

/** A component of its own, so that what was typed and what failed is discarded when the dialog closes. */
function ConfirmContent(props: ContentProps) {
  const { Base, onClose, title, children, confirmLabel, call, typed, variant = 'danger-filled' } = props
  const t = useFrameMessages()
  const [text, setText] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: call,
    onSuccess: (result) => {
      if (result !== false) onClose()
    },
  })
  const isFinal = error !== null && props.isFinal?.(error)
  const isDisabled = props.isConfirmDisabled || isFinal || (typed !== undefined && !typed.matches(text.trim()))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending && !isDisabled) mutate()
      }}
    >
      <Base.Title className="px-6 pt-5 text-16 font-semibold">{title}</Base.Title>
      <Base.Description render={<div />} className="grid gap-4 px-6 pt-4 pb-5">
        {children}
        {typed ? (
          <TextField
            label={typed.label}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        ) : null}
        {error ? <ErrorNote error={error} /> : null}
      </Base.Description>
      <Footer>
        <Button onClick={onClose}>{props.cancelLabel ?? t('cancel')}</Button>
        <Button type="submit" variant={variant} isBusy={isPending} disabled={isDisabled}>
          {confirmLabel}
        </Button>
      </Footer>
    </form>
  )
}

/** Confirms a call, by default a destructive one, and makes it. */
export function ConfirmDialog({ isOpen, focusAfter, ...content }: ConfirmProps) {
  const Base = useOverlays(isOpen)?.Dialog
  return Base ? (
    <Base.AlertRoot open={isOpen} onOpenChange={(next) => next || content.onClose()}>
      <Base.Portal>
        <Base.Backdrop className={clsx(backdrop, 'z-40')} />
        <Base.Popup className={clsx(popup, 'max-w-110')} finalFocus={focusOn(focusAfter)}>
          <ConfirmContent Base={Base} {...content} />
        </Base.Popup>
      </Base.Portal>
    </Base.AlertRoot>
  ) : null
}
