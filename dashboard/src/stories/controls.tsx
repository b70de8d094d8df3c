/** Stories of buttons, links, forms, dialogs and menus. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ClientError, pageURL } from '../api/calls.ts'
import { Button, ButtonLink, ExternalButton, TextLink } from '../components/button.tsx'
import { ConfirmDialog, Dialog, Sheet } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { Form, type FormState, useApiForm } from '../components/form.tsx'
import { Menu, MenuCheck, MenuChoice, MenuGroup, MenuItem, MenuLabel, MenuOption, MenuSeparator } from '../components/menu.tsx'
import { showToast } from '../components/toast.tsx'
import { longText, type Story } from './story.ts'

const row = 'flex flex-wrap items-center gap-2'
const nothing = () => undefined
const limited = new ClientError(429, 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', 'Too many requests', { retryAfter: 65 })

const buttons = (more: { readonly isBusy?: boolean; readonly disabled?: boolean }) => (
  <div className={row}>
    {(['primary', 'secondary', 'ghost', 'danger', 'danger-filled'] as const).map((variant) => (
      <Button key={variant} variant={variant} {...more}>
        Save changes
      </Button>
    ))}
    <Button variant="ghost" isIcon aria-label="Delete" {...more}>
      {more.isBusy ? null : <Trash2 aria-hidden className="size-4" />}
    </Button>
  </div>
)

const options = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
]

type Values = { readonly email: string }
const schema = () => import('../components/schemas.ts').then(({ emailOnly }) => emailOnly)

function FormStory(more: Partial<FormState<Values>>) {
  const state = useApiForm<Values>({
    schema,
    defaults: { email: 'ada@example.com' },
    submit: () => Promise.reject(new TypeError('offline')),
  })
  return (
    <Form state={{ ...state, ...more }} submitLabel="Change email">
      <TextField label="Email" autoComplete="email" {...state.field('email')} />
    </Form>
  )
}

function SheetStory() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Sheet isOpen={isOpen} onClose={close} label="Halden Ferry Lines" side="end" className="w-96 max-w-full bg-surface p-5">
        <p className="mb-4">148 members.</p>
        <Button onClick={close}>Close</Button>
      </Sheet>
    </>
  )
}

function DialogStory({ kind }: { readonly kind: 'dialog' | 'confirm' | 'disabled' | 'typed' }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {kind === 'dialog' ? (
        <Dialog
          isOpen={isOpen}
          onClose={close}
          title="Rename Halden Ferry Lines"
          description="Members see the new name immediately."
          actions={<Button onClick={close}>Cancel</Button>}
        >
          <TextField label="Name" defaultValue="Halden Ferry Lines" />
        </Dialog>
      ) : (
        <ConfirmDialog
          isOpen={isOpen}
          onClose={close}
          title="Delete Halden Ferry Lines?"
          confirmLabel="Delete organization"
          isConfirmDisabled={kind === 'disabled'}
          {...(kind === 'typed' && { typed: { label: 'Type halden to confirm', matches: (text) => text === 'halden' } })}
          call={async () => close()}
        >
          <p>148 members lose access immediately.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function MenuStory() {
  const [value, setValue] = useState('daily')
  return (
    <Menu trigger={<Button>Open</Button>}>
      <MenuGroup label="Send to" value="ada" onChange={nothing}>
        <MenuOption value="ada">ada@example.com</MenuOption>
        <MenuOption value="long">
          <span className="truncate">{longText}</span>
        </MenuOption>
      </MenuGroup>
      <MenuChoice label="How often" value={value} options={options} onChange={setValue} />
      <MenuSeparator />
      <MenuLabel>Columns</MenuLabel>
      <MenuCheck isChecked={value === 'daily'} onChange={nothing}>
        Daily
      </MenuCheck>
      <MenuSeparator />
      <MenuItem onSelect={nothing}>Send now</MenuItem>
      <MenuItem onSelect={nothing} isDanger>
        Stop sending
      </MenuItem>
    </Menu>
  )
}

const menu = { 'with a choice, a check, items and a separator': <MenuStory /> }

export const controls: readonly Story[] = [
  {
    component: 'Button',
    states: {
      normal: buttons({}),
      busy: buttons({ isBusy: true }),
      disabled: buttons({ disabled: true }),
      'large, with a long text': (
        <Button variant="primary" size="large">
          {longText}
        </Button>
      ),
    },
  },
  { component: 'ButtonLink', states: { normal: <ButtonLink to="/">Go to the start page</ButtonLink> } },
  { component: 'ExternalButton', states: { normal: <ExternalButton href={pageURL('/')}>Download</ExternalButton> } },
  {
    component: 'TextLink',
    states: {
      normal: <TextLink to="/">Start page</TextLink>,
      inline: (
        <p>
          A sentence with{' '}
          <TextLink to="/" isInline>
            a link
          </TextLink>{' '}
          inside.
        </p>
      ),
    },
  },
  {
    component: 'Form',
    states: {
      normal: <FormStory />,
      busy: <FormStory isBusy />,
      'rate limited': <FormStory error={limited} wait={65} />,
    },
  },
  { component: 'Dialog', states: { 'with a field': <DialogStory kind="dialog" /> } },
  { component: 'Sheet', states: { normal: <SheetStory /> } },
  {
    component: 'ConfirmDialog',
    states: {
      normal: <DialogStory kind="confirm" />,
      disabled: <DialogStory kind="disabled" />,
      typed: <DialogStory kind="typed" />,
    },
  },
  { component: 'Menu', states: menu },
  { component: 'MenuItem', states: menu },
  { component: 'MenuCheck', states: menu },
  { component: 'MenuLabel', states: menu },
  { component: 'MenuChoice', states: menu },
  { component: 'MenuGroup', states: menu },
  { component: 'MenuOption', states: menu },
  { component: 'MenuSeparator', states: menu },
  { component: 'Toasts', states: { normal: <Button onClick={() => showToast('4 sessions revoked')}>Show a toast</Button> } },
]
