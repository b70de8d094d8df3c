/** A menu of actions or choices behind a button. */
import { Menu as Base } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
}

export const Menu = ({ trigger, children, side = 'bottom' }: MenuProps) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner side={side} align="end" sideOffset={4} className="z-50">
        <Base.Popup className="max-h-(--available-height) min-w-52 max-w-[min(18rem,var(--available-width))] overflow-y-auto overscroll-contain rounded-card bg-raised p-1 text-13 shadow-menu transition-[opacity,translate] duration-120 ease-out data-starting-style:translate-y-1 data-starting-style:opacity-0 data-ending-style:opacity-0">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

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

export const MenuItem = ({ onSelect, children, isDanger = false, disabledReason }: ItemProps) =>
  disabledReason === undefined ? (
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

interface GroupProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly children: ReactNode
}

/** Options of which one is chosen. */
export const MenuGroup = ({ label, value, onChange, children }: GroupProps) => (
  <Base.Group>
    <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-12 font-medium text-muted">{label}</Base.GroupLabel>
    <Base.RadioGroup value={value} onValueChange={(next: string) => onChange(next)}>
      {children}
    </Base.RadioGroup>
  </Base.Group>
)

interface OptionProps {
  readonly value: string
  readonly lang?: string | undefined
  readonly children: ReactNode
}

export const MenuOption = ({ value, lang, children }: OptionProps) => (
  <Base.RadioItem value={value} lang={lang} closeOnClick className={itemLook()}>
    {children}
    <Base.RadioItemIndicator>
      <Check aria-hidden className="size-4 text-accent" />
    </Base.RadioItemIndicator>
  </Base.RadioItem>
)

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

export const MenuSeparator = () => <Base.Separator className="-mx-1 my-1 h-px bg-border" />

interface CheckProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly children: ReactNode
}

/** Something that is on or off, such as a column of a table. The menu stays open. */
export const MenuCheck = ({ isChecked, onChange, children }: CheckProps) => (
  <Base.CheckboxItem checked={isChecked} onCheckedChange={(next) => onChange(next)} className={itemLook()}>
    <span className="grow">{children}</span>
    <Base.CheckboxItemIndicator>
      <Check aria-hidden className="size-4 text-accent" />
    </Base.CheckboxItemIndicator>
  </Base.CheckboxItem>
)

export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <p className="px-2 pt-1.5 pb-1 text-12 font-medium text-muted">{children}</p>
)
