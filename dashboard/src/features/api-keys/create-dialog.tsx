/** Creates an API key, then shows it once. */
import { Check, Copy } from 'lucide-react'
import { type RefObject, useCallback, useMemo, useState } from 'react'
import { queryClient } from '../../api/calls.ts'
import { copyText } from '../../browser/clipboard.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CodeBlock, Note } from '../../components/feedback.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { type KeySet, keysQuery, useKeyOwner } from './data.ts'
import { messages } from './index.ts'

const secondsPerDay = 86_400
const usualDays = [7, 30, 90, 180, 365]
/** Offered first: long enough for most uses, short enough for a key that was lost. */
const suggestedDays = 90

/** The value of a choice: days, or empty for the default of the installation. */
function useExpirations({ expiration: { isCustom, minDays, maxDays, defaultDays } }: KeySet) {
  const t = useMessages(messages)
  const usual = { value: '', label: defaultDays === null ? t('neverChoice') : t('asUsual', { count: defaultDays }) }
  const days = isCustom ? usualDays.filter((count) => count >= minDays && count <= maxDays) : []
  const options = [...days.map((count) => ({ value: String(count), label: t('inDays', { count }) })), usual]
  const suggested = defaultDays === null ? days.find((count) => count === suggestedDays) : undefined
  return { options, initial: suggested === undefined ? '' : String(suggested) }
}

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: (text: string) => void
  /** Gets the focus in the end: the first key replaces the button that opened the dialog. */
  readonly focusAfter: RefObject<HTMLElement | null>
}

interface Created {
  readonly key: string
  readonly header: string | null
  readonly name: string
}

/** A component of its own for each opening, so that a key that was shown is not kept. */
export function CreateDialog({ isOpen, onClose, onDone, focusAfter }: Props) {
  const t = useMessages(messages)
  const { sets } = useKeyOwner()
  const [chosen, choose] = useState(sets[0]?.configId)
  const set = sets.find(({ configId }) => configId === chosen)
  const [created, setCreated] = useState<Created>()
  if (!set) return null
  if (created === undefined)
    return (
      <Dialog isOpen={isOpen} onClose={onClose} title={t('createKey')}>
        {sets.length > 1 ? (
          <SelectField
            label={t('set')}
            options={sets.map(({ configId }) => ({ value: configId, label: configId }))}
            value={set.configId}
            onChange={({ target }) => choose(target.value)}
          />
        ) : null}
        <CreateForm key={set.configId} set={set} onClose={onClose} onCreated={setCreated} />
      </Dialog>
    )
  const close = () => {
    onClose()
    onDone(t('wasCreated', created))
  }
  return (
    // Only the button closes it: a click outside of it would lose the key.
    <Dialog
      isOpen={isOpen}
      onClose={() => undefined}
      title={t('newKey')}
      actions={<KeyButtons value={created.key} onDone={close} />}
      focusAfter={focusAfter}
    >
      <NewKey value={created.key} header={created.header} />
    </Dialog>
  )
}

/** The first one has the focus, so that pressing Enter once more copies the key and loses nothing. */
function KeyButtons({ value, onDone }: { readonly value: string; readonly onDone: () => void }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const [isCopied, setCopied] = useState<boolean>()
  const focusFirst = useCallback((node: HTMLDivElement | null) => node?.querySelector('button')?.focus(), [])
  return (
    <>
      <p role="status" className="me-auto self-center text-13 text-danger">
        {isCopied === false ? frame('notCopied') : ''}
      </p>
      <div ref={focusFirst}>
        <Button variant={isCopied ? 'secondary' : 'primary'} onClick={() => void copyText(value).then(setCopied)}>
          {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
          {isCopied ? frame('copied') : t('copyKey')}
        </Button>
      </div>
      <Button variant={isCopied ? 'primary' : 'secondary'} onClick={onDone}>
        {t('done')}
      </Button>
    </>
  )
}

function NewKey({ value, header }: { readonly value: string; readonly header: string | null }) {
  const t = useMessages(messages)
  return (
    <>
      <Note tone="warning" isLive>
        <p>{t('copyNow')}</p>
      </Note>
      <CodeBlock code={value} label={t('keyColumn')} copyLabel={t('copyKey')} />
      {header ? <p className="text-13 text-muted">{t('header', { header })}</p> : null}
    </>
  )
}

interface FormProps {
  readonly set: KeySet
  readonly onClose: () => void
  readonly onCreated: (created: Created) => void
}

function CreateForm({ set, onClose, onCreated }: FormProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const owner = useKeyOwner()
  const { options, initial } = useExpirations(set)
  const schema = useMemo(() => () => import('./schemas.ts').then(({ newApiKey }) => newApiKey(set)), [set])
  const state = useApiForm({
    schema,
    defaults: { name: '', prefix: '', expiration: initial },
    fields: {
      THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'name',
      THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'prefix',
    },
    submit: async ({ name, prefix, expiration }) => {
      const expiresIn = expiration === '' ? undefined : Number(expiration) * secondsPerDay
      const { key } = await call('POST /api-key/create', {
        body: {
          ...{ name, configId: set.configId },
          ...(owner.organizationId !== null && { organizationId: owner.organizationId }),
          ...(prefix && { prefix }),
          ...(expiresIn !== undefined && { expiresIn }),
        },
      })
      onCreated({ key, name, header: set.header })
      await queryClient.invalidateQueries(keysQuery(owner))
    },
  })
  return (
    <Form state={state} submitLabel={t('createKey')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        autoComplete="off"
        dir="auto"
        maxLength={set.name.maxLength}
        {...state.field('name')}
      />
      <SelectField label={t('expiration')} options={options} {...state.field('expiration')} />
      {set.prefix.default === null ? (
        <TextField
          label={t('prefix')}
          hint={t('prefixHint')}
          isOptional
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          maxLength={set.prefix.maxLength}
          {...state.field('prefix')}
        />
      ) : null}
      <p className="text-13 text-muted">{owner.organizationId === null ? t('careful') : t('organizationCareful')}</p>
    </Form>
  )
}
