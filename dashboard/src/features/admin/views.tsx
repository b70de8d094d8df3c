/** Views of the list of users: those that everyone has, and those that were saved in this browser. */
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useParameters } from '../../routes/parameters.ts'
import { useCountText, usePendingCounts } from '../../session/pending-counts.ts'
import type { UserFilter } from './data.ts'
import { filterNames } from './filters.tsx'
import { messages } from './index.ts'

const storageKey = 'latchkey.users.views'
const longestName = 40
const mostViews = 20

/** Filters and sorting as they stand in the address. What was searched is often an email address, and is not stored. */
type Parameters = Readonly<Record<string, string>>

interface SavedView {
  readonly name: string
  readonly parameters: Parameters
}

const isView = (value: Partial<SavedView> | null): value is SavedView =>
  typeof value?.name === 'string' && typeof value.parameters === 'object' && value.parameters !== null

function readViews(): readonly SavedView[] {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]').filter(isView)
  } catch {
    // Not written by this page.
    return []
  }
}

const names = [...filterNames, 'sort']
const isSame = (one: Parameters, other: Parameters) => names.every((name) => one[name] === other[name])

export function Views({ filter: { status, role } }: { readonly filter: UserFilter }) {
  const t = useMessages(messages)
  const parameter = useParameters()
  const counts = useViewCounts()
  const current = Object.fromEntries(names.flatMap((name) => [[name, parameter(name)] as const].filter(isGiven)))
  const [views, setViews] = useState(readViews)
  const [isOpen, setOpen] = useState(false)
  const store = (next: readonly SavedView[]) => {
    localStorage.setItem(storageKey, JSON.stringify(next))
    setViews(next)
  }
  const saved = views.find(({ parameters }) => isSame(parameters, current))
  const shared = [
    { label: t('all'), search: {}, isCurrent: status === undefined && role === undefined },
    {
      label: t('unverifiedView'),
      count: counts.unverified,
      search: { status: 'unverified' },
      isCurrent: status === 'unverified' && role === undefined,
    },
    {
      label: t('bannedView'),
      count: counts.banned,
      search: { status: 'banned' },
      isCurrent: status === 'banned' && role === undefined,
    },
    { label: t('administrators'), search: { role: 'admin' }, isCurrent: role === 'admin' && status === undefined },
  ]
  const own = views.map((view) => ({ label: view.name, search: view.parameters, isCurrent: view === saved }))
  const tabs = [...shared.map((tab) => ({ ...tab, isCurrent: tab.isCurrent && saved === undefined })), ...own]
  const maySave = views.length < mostViews && !shared.some(({ search }) => isSame(search, current))
  return (
    <Tabs label={t('views')} tabs={tabs}>
      {saved || maySave ? (
        <div className="ms-auto">
          <Button variant="ghost" onClick={() => (saved ? store(views.filter((view) => view !== saved)) : setOpen(true))}>
            {saved ? t('removeView') : t('saveView')}
          </Button>
        </div>
      ) : null}
      {isOpen ? (
        <SaveDialog
          known={tabs.map(({ label }) => label)}
          onClose={() => setOpen(false)}
          onSave={(name) => store([...views, { name, parameters: current }])}
        />
      ) : null}
    </Tabs>
  )
}

/** Nothing next to a view without users. */
function useViewCounts() {
  const text = useCountText()
  const { unverified, banned } = usePendingCounts()
  return { unverified: unverified ? text(unverified) : undefined, banned: banned ? text(banned) : undefined }
}

const isGiven = (entry: readonly [string, string | undefined]): entry is readonly [string, string] => entry[1] !== undefined

interface DialogProps {
  /** Names of the other views. */
  readonly known: readonly string[]
  readonly onClose: () => void
  readonly onSave: (name: string) => void
}

function SaveDialog({ known, onClose, onSave }: DialogProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const [text, setText] = useState('')
  const name = text.trim()
  const isKnown = known.includes(name)
  const save = () => {
    if (name === '' || isKnown) return
    onSave(name)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('saveView')}
      description={t('saveViewText')}
      actions={
        <>
          <Button onClick={onClose}>{frame('cancel')}</Button>
          <Button variant="primary" disabled={name === '' || isKnown} onClick={save}>
            {t('saveView')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={t('viewName')}
          value={text}
          maxLength={longestName}
          autoComplete="off"
          error={isKnown ? t('viewExists') : undefined}
          onChange={({ target }) => setText(target.value)}
        />
      </form>
    </Dialog>
  )
}
