/** The search of the field for an organization. */
import { Combobox } from '@base-ui/react/combobox'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import { useErrorText } from '../../api/errors.ts'
import { Avatar } from '../../components/avatar.tsx'
import { controlLook } from '../../components/look.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'
import { allOrganizationsQuery } from './organization-data.ts'
import { useOrganizationName } from './organization-field.tsx'

interface Organization {
  readonly id: string
  readonly name: string
  readonly slug: string
}

interface Props {
  /** The ID of an organization; empty: none. */
  readonly value: string
  readonly onChange: (id: string) => void
}

export function OrganizationSearch({ value, onChange }: Props) {
  const t = useMessages(messages)
  const id = useId()
  const [chosen, setChosen] = useState<Organization | null>(value ? { id: value, name: '', slug: '' } : null)
  const name = useOrganizationName(value || undefined) ?? ''
  const [text, setText] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const search = useDeferredValue((text ?? '').trim()) || undefined
  const found = useQuery({ ...allOrganizationsQuery({ search, cursor: undefined }), enabled: isOpen })
  const choose = (next: Organization | null) => {
    setChosen(next)
    setText(null)
    onChange(next?.id ?? '')
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-13 font-medium">
        {t('organization')}
      </label>
      <Combobox.Root<Organization>
        items={found.data?.organizations ?? []}
        filter={null}
        value={chosen}
        onValueChange={choose}
        itemToStringLabel={(one) => one.name || name}
        isItemEqualToValue={(one, other) => one.id === other.id}
        inputValue={text ?? (chosen ? chosen.name || name : '')}
        onInputValueChange={(next, { reason }) => {
          if (reason === 'input-change' || reason === 'input-clear') setText(next)
        }}
        open={isOpen}
        onOpenChange={(next) => {
          setOpen(next)
          if (!next) setText(null)
        }}
      >
        <div className="relative">
          <Combobox.Input
            id={id}
            placeholder={t('anyOrganization')}
            autoComplete="off"
            className={controlLook('normal', 'pe-9')}
          />
          <Combobox.Clear
            aria-label={t('clearOrganization')}
            className="absolute inset-y-0 end-0 grid w-9 cursor-pointer place-content-center text-muted hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </Combobox.Clear>
        </div>
        <Options error={found.error} count={found.data?.organizations.length} />
      </Combobox.Root>
    </div>
  )
}

function Options({ error, count }: { readonly error: unknown; readonly count: number | undefined }) {
  const t = useMessages(messages)
  const errorText = useErrorText()
  const status = count === undefined ? t('searching') : count === 0 ? t('noOrganizationFound') : ''
  return (
    <Combobox.Portal>
      <Combobox.Positioner align="start" sideOffset={4} className="z-60">
        <Combobox.Popup className="flex max-h-[min(20rem,var(--available-height))] w-(--anchor-width) max-w-(--available-width) flex-col rounded-card bg-raised p-1 text-13 shadow-menu">
          <Combobox.List className="min-h-0 grow overflow-y-auto overscroll-contain empty:hidden">
            {(one: Organization) => (
              <Combobox.Item
                key={one.id}
                value={one}
                className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1 outline-none select-none data-highlighted:bg-fill"
              >
                <Avatar name={one.name} isSquare />
                <span className="min-w-0">
                  <span className="block truncate">
                    <bdi>{one.name}</bdi>
                  </span>
                  <span className="block truncate text-12 text-muted">
                    <bdi>{one.slug}</bdi>
                  </span>
                </span>
              </Combobox.Item>
            )}
          </Combobox.List>
          <Combobox.Status className="px-2 py-1.5 text-12 text-muted empty:hidden">
            {error ? errorText(error).sentence : status}
          </Combobox.Status>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  )
}
