/** The command palette: one field, and the way to pages, users, organizations and actions with the keyboard alone. */
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Building2, CornerDownLeft, FileText, Link2, Search, UserRound, Zap } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from '../components/field.tsx'
import { useMessages } from '../i18n/messages.ts'
import { modifier, openPalette, type PaletteView, paletteMessages, useShortcuts } from './palette.tsx'
import { type PaletteGroup, type PaletteItem, usePaletteItems } from './palette-items.ts'

export function PaletteDialog({ view }: { readonly view: PaletteView }) {
  const t = useMessages(paletteMessages)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || openPalette(null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-120 ease-out data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label={t(view === 'search' ? 'palette' : 'shortcuts')}
          className="fixed inset-x-4 top-[12vh] z-40 mx-auto flex max-h-[76vh] max-w-140 flex-col overflow-hidden rounded-dialog bg-raised shadow-dialog transition-[opacity,translate] duration-120 ease-out data-starting-style:translate-y-1 data-starting-style:opacity-0"
        >
          {view === 'search' ? <SearchView /> : <Shortcuts />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function SearchView() {
  const t = useMessages(paletteMessages)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const { groups, isPending, error } = usePaletteItems(text)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const choose = ({ to, search, act }: PaletteItem) => {
    openPalette(null)
    if (to !== undefined) void navigate({ to: to as string, search: (search ?? {}) as never })
    else act?.()
  }
  const status = () => {
    if (count > 0) return t('found', { count })
    return isPending ? t('searching') : t('nothingFound')
  }
  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      filter={null}
      mode="none"
      value={text}
      onValueChange={setText}
      autoHighlight="always"
      keepHighlight
      itemToStringValue={({ label }) => label}
    >
      <div className="relative border-b border-border">
        <Search aria-hidden className="pointer-events-none absolute inset-y-0 start-4 my-auto size-4 text-muted" />
        <Autocomplete.Input
          aria-label={t('palette')}
          placeholder={t('placeholder')}
          spellCheck={false}
          className="min-h-12 w-full bg-transparent ps-11 pe-4 text-14 text-text -outline-offset-2 placeholder:text-muted"
        />
      </div>
      <Autocomplete.List className="min-h-0 grow overflow-y-auto overscroll-contain p-1 text-13 empty:hidden">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-12 font-medium text-muted">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => <Option key={item.id} item={item} onChoose={() => choose(item)} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <footer className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-border px-4 py-2 text-12 text-muted">
        <Autocomplete.Status className="me-auto tabular-nums">{error ? t('cannotSearch') : status()}</Autocomplete.Status>
        <Keys />
      </footer>
    </Autocomplete.Root>
  )
}

const Hint = ({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) => (
  <span className="hidden items-center gap-1.5 card:inline-flex">
    {keys.map((key) => (
      <Key key={key}>{key}</Key>
    ))}{' '}
    {label}
  </span>
)

function Keys() {
  const t = useMessages(paletteMessages)
  return (
    <>
      <Hint keys={['↑', '↓']} label={t('move')} />
      <Hint keys={['Enter']} label={t('open')} />
      <Hint keys={['Esc']} label={t('close')} />
    </>
  )
}

const icons = { page: FileText, action: Zap, user: UserRound, organization: Building2, events: Link2 } as const

function Option({ item, onChoose }: { readonly item: PaletteItem; readonly onChoose: () => void }) {
  const Icon = icons[item.icon]
  return (
    <Autocomplete.Item
      value={item}
      onClick={onChoose}
      className="group flex min-h-(--target) cursor-pointer items-center gap-2.5 rounded-control px-3 py-1 outline-none select-none data-highlighted:bg-fill"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-2">
        {item.isName ? (
          <bdi className="max-w-full truncate">{item.label}</bdi>
        ) : (
          <span className="max-w-full truncate">{item.label}</span>
        )}
        {item.detail ? (
          <bdi translate="no" className="max-w-full truncate text-12 text-muted">
            {item.detail}
          </bdi>
        ) : null}
      </span>
      <CornerDownLeft aria-hidden className="hidden size-3.5 shrink-0 text-muted group-data-highlighted:block rtl:-scale-x-100" />
    </Autocomplete.Item>
  )
}

/** Keys have the names that stand on them. */
const Key = ({ children }: { readonly children: string }) => (
  <kbd
    translate="no"
    className="inline-grid h-5 min-w-5 place-content-center rounded-sm border border-border-strong bg-surface px-1 font-sans text-12 text-text"
  >
    {children}
  </kbd>
)

function Shortcuts() {
  const t = useMessages(paletteMessages)
  const { isOn, setOn } = useShortcuts()
  const shortcuts = [
    { keys: [modifier, 'K'], label: t('openPalette') },
    { keys: ['?'], label: t('openShortcuts') },
    { keys: ['↑', '↓'], label: t('move') },
    { keys: ['Enter'], label: t('open') },
    { keys: ['Esc'], label: t('close') },
  ]
  return (
    <div className="grid gap-3 overflow-y-auto px-6 py-5">
      <div>
        <Dialog.Title className="text-16 font-semibold">{t('shortcuts')}</Dialog.Title>
        <Dialog.Description className="text-13 text-muted">{t('shortcutsText')}</Dialog.Description>
      </div>
      <dl className="divide-y divide-border text-13">
        {shortcuts.map(({ keys, label }) => (
          <div key={label} className="flex min-h-10 items-center gap-4 py-1.5">
            <dt className="grow">{label}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox label={t('useShortcuts')} checked={isOn} onChange={({ target }) => setOn(target.checked)} />
      <Dialog.Close className="min-h-(--target) cursor-pointer justify-self-end rounded-control border border-border-strong bg-surface px-3 text-13 font-medium hover:bg-hover">
        {t('close')}
      </Dialog.Close>
    </div>
  )
}
