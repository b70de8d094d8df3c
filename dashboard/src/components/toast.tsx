/** Toasts: short confirmations at the foot of the page. */
import { Toast } from '@base-ui/react/toast'
import { Check, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { Note } from './feedback.tsx'

const toasts = Toast.createToastManager()

/** Confirms an action. Never the only place of an information: the page shows the result too. */
export const showToast = (title: string): void => void toasts.add({ title, timeout: 6000 })

/** The result of the last action of a page: a note in the page, and a toast. */
export function useResult() {
  const [text, setText] = useState<string>()
  const ref = useRef<HTMLDivElement>(null)
  return {
    /** Gets the focus when the action has removed what had it. */
    ref,
    show: (next: string) => {
      setText(next)
      showToast(next)
    },
    clear: () => setText(undefined),
    note: (
      <div ref={ref} tabIndex={-1} className="mb-4 outline-none empty:hidden">
        {text === undefined ? null : (
          <Note tone="success" isLive>
            {text}
          </Note>
        )}
      </div>
    ),
  }
}

function ToastList() {
  const t = useFrameMessages()
  const { toasts: shown } = Toast.useToastManager()
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="flex min-h-11 items-center gap-2.5 rounded-card bg-raised py-1.5 ps-3.5 pe-1.5 text-13 shadow-menu transition-[opacity,translate] duration-180 ease-out data-starting-style:translate-y-full data-starting-style:opacity-0 data-ending-style:translate-y-full data-ending-style:opacity-0"
    >
      <Check aria-hidden className="size-4 shrink-0 text-success" />
      <Toast.Title className="min-w-0 text-13 font-normal wrap-anywhere" />
      <Toast.Close
        aria-label={t('dismiss')}
        className="grid size-(--target) shrink-0 cursor-pointer place-content-center rounded-control text-muted hover:bg-hover"
      >
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  ))
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  const t = useFrameMessages()
  return (
    <Toast.Provider toastManager={toasts} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t('notifications')}
          className="fixed inset-x-4 bottom-4 z-50 mx-auto flex w-fit max-w-[calc(100%-2rem)] flex-col-reverse gap-2"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
