/** A menu of actions or choices behind a button. */
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import {
  cloneElement,
  createContext,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  use,
  useId,
  useRef,
  useState,
} from 'react'
import { type Overlays, useOverlays } from './use-overlays.ts'

/** In an open menu, thus loaded. */
const LibraryContext = createContext<Overlays['Menu'] | null>(null)
function useLibrary(): Overlays['Menu'] {
  const loaded = use(LibraryContext)
  if (!loaded) throw new Error('This is a part of a menu')
  return loaded
}

export interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLButtonElement> }>
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
}

/** The key that goes to the first or last action of a menu that was opened with the keyboard. */
type Opening = 'pointer' | 'ArrowDown' | 'ArrowUp'

export function Menu({ trigger, children, side = 'bottom' }: MenuProps) {
  const [opening, setOpening] = useState<Opening | null>(null)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const Base = useOverlays(opening !== null)?.Menu
  const isOpen = opening !== null && Base !== undefined
  const open = (next: Opening) => {
    // Not all browsers focus the button that is clicked, and the menu returns the focus to what had it.
    button.current?.focus()
    setOpening(next)
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id: `${id}-button`,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? id : undefined,
        onClick: ({ detail }) => open(detail === 0 ? 'ArrowDown' : 'pointer'),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open(event.key)
        },
      })}
      {Base ? (
        <Base.Root open={isOpen} onOpenChange={(next) => next || setOpening(null)}>
          <Base.Portal>
            <Base.Positioner anchor={button} side={side} align="end" sideOffset={4} className="z-50">
              <Base.Popup
                id={id}
                aria-labelledby={`${id}-button`}
                onFocus={({ target, currentTarget }) => {
                  if (opening === 'pointer' || opening === null || target !== currentTarget) return
                  target.dispatchEvent(new KeyboardEvent('keydown', { key: opening, bubbles: true }))
                }}
                onKeyDown={({ key }) => {
                  if (key !== 'Tab') return
                  // Then the browser moves the focus from there.
                  button.current?.focus()
                  setOpening(null)
                }}
                className="max-h-(--available-height) min-w-52 max-w-[min(18rem,var(--available-width))] overflow-y-auto overscroll-contain rounded-card bg-raised p-1 text-13 shadow-menu transition-[opacity,translate] duration-120 ease-out starting:translate-y-1 starting:opacity-0 data-ending-style:opacity-0"
              >
                <LibraryContext value={Base}>{children}</LibraryContext>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      ) : null}
    </>
  )
}

const itemLook = (more?: string): string =>
  clsx(
    'flex min-h-(--target) cursor-pointer items-center gap-2.5 rounded-control px-2 py-1 outline-none select-none data-highlighted:bg-fill',
    more,
  )

interface ItemProps {
  readonly onSelect: () => void
  readonly children: ReactNode
  readonly isDanger?: boolean
  /** Why it cannot be chosen. */
  readonly disabledReason?: string | undefined
}

export function MenuItem({ onSelect, children, isDanger = false, disabledReason }: ItemProps) {
  const Base = useLibrary()
  return disabledReason === undefined ? (
    <Base.Item onClick={onSelect} className={itemLook(clsx(isDanger && 'text-danger'))}>
      {children}
    </Base.Item>
  ) : (
    <Base.Item disabled className={itemLook('cursor-not-allowed items-start text-muted')}>
      <span>
        <span className="flex items-center gap-2.5">{children}</span>
        <span className="block text-12">{disabledReason}</span>
      </span>
    </Base.Item>
  )
}

interface GroupProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly children: ReactNode
}

/** Options of which one is chosen. */
export function MenuGroup({ label, value, onChange, children }: GroupProps) {
  const Base = useLibrary()
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-12 font-medium text-muted">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: string) => onChange(next)}>
        {children}
      </Base.RadioGroup>
    </Base.Group>
  )
}

interface OptionProps {
  readonly value: string
  readonly lang?: string | undefined
  readonly children: ReactNode
}

export function MenuOption({ value, lang, children }: OptionProps) {
  const Base = useLibrary()
  return (
    <Base.RadioItem value={value} lang={lang} closeOnClick className={itemLook()}>
      {children}
      <Base.RadioItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </Base.RadioItemIndicator>
    </Base.RadioItem>
  )
}

interface ChoiceProps extends Omit<GroupProps, 'children'> {
  readonly options: readonly { readonly value: string; readonly label: string; readonly lang?: string }[]
}

/** One of several values, such as the theme. */
export const MenuChoice = ({ options, ...group }: ChoiceProps) => (
  <MenuGroup {...group}>
    {options.map((option) => (
      <MenuOption key={option.value} value={option.value} lang={option.lang}>
        <span className="grow">{option.label}</span>
      </MenuOption>
    ))}
  </MenuGroup>
)

export function MenuSeparator() {
  const Base = useLibrary()
  return <Base.Separator className="-mx-1 my-1 h-px bg-border" />
}

interface CheckProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly children: ReactNode
}

/** Something that is on or off, such as a column of a table. The menu stays open. */
export function MenuCheck({ isChecked, onChange, children }: CheckProps) {
  const Base = useLibrary()
  return (
    <Base.CheckboxItem checked={isChecked} onCheckedChange={(next) => onChange(next)} className={itemLook()}>
      <span className="grow">{children}</span>
      <Base.CheckboxItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </Base.CheckboxItemIndicator>
    </Base.CheckboxItem>
  )
}

export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <p className="px-2 pt-1.5 pb-1 text-12 font-medium text-muted">{children}</p>
)
