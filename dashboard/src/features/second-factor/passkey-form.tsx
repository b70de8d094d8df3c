/** A form that a passkey sends. Without scripts there are no passkeys, so that it stays hidden until the script shows it. */
import { useId } from 'react'
import { Form } from '../../hosted/form.tsx'
import { ExternalButton } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { type FormDeclaration, pageURL, usePage } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { signInMessages as messages } from './passkey-messages.ts'

export const passkeyForm: FormDeclaration = {
  call: 'POST /passkey/verify-authentication',
  method: () => 'passkey',
  next: ({ url }: { readonly url?: string }, { parameters }) => ({ leave: url ?? parameters.callbackURL ?? null }),
}

interface Props {
  readonly label: string
  readonly variant: 'primary' | 'secondary'
  /** Whether the browser also offers passkeys at the field for the email address. */
  readonly isOffered?: boolean
}

export function PasskeyForm({ label, variant, isOffered = false }: Props) {
  const t = useMessages(messages)
  return (
    <CeremonyForm
      kind={isOffered ? 'offered' : 'asked'}
      call={passkeyForm.call}
      options="/passkey/generate-authenticate-options"
      label={label}
      variant={variant}
      sentence={t}
    />
  )
}

const noted = ['cancelled', 'notPossible'] as const

interface CeremonyProps extends Pick<Props, 'label' | 'variant'> {
  /** What the browser does: use a passkey, offer those that it has at a field too, or create one. */
  readonly kind: 'asked' | 'offered' | 'new'
  readonly call: string
  /** The call for the options, with its query. */
  readonly options: string
  readonly hidden?: Readonly<Record<string, string>>
  /** Of what can go wrong in the browser. */
  readonly sentence: (problem: (typeof noted)[number]) => string
}

export function CeremonyForm({ kind, call, options, hidden = {}, label, variant, sentence }: CeremonyProps) {
  const { site } = usePage()
  return (
    <div data-passkey-place hidden>
      <div className="grid gap-3">
        {noted.map((problem) => (
          <div key={problem} data-problem={problem} hidden>
            <Note tone="danger" isLive>
              {sentence(problem)}
            </Note>
          </div>
        ))}
        <Form call={call} hidden={hidden} submitLabel={label} variant={variant}>
          <input
            type="hidden"
            name="response"
            data-passkey={kind}
            data-options={`${site.api}${options}`}
            data-signal={`${site.api}/passkey/signal`}
          />
        </Form>
        {/* After the button, which "Continue as" presses. */}
        <OwnDomain page={kind === 'new' ? '/sign-up/passkey' : '/sign-in'} />
      </div>
    </div>
  )
}

/** In place of the button, where the browser cannot use passkeys of another domain: the way to the pages on that domain. */
function OwnDomain({ page: path }: { readonly page: string }) {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const id = useId()
  const domain = site.settings.passkey?.rpId ?? ''
  const { callbackURL } = page.parameters
  return (
    <div data-problem="wrongDomain" data-domain={domain} hidden className="space-y-2">
      <p id={id} className="text-14 text-muted wrap-anywhere">
        {t('wrongDomain', { domain })}
      </p>
      <ExternalButton href={pageURL(site, path, { callbackURL })} describedBy={id}>
        {t('goToDomain', { domain })}
      </ExternalButton>
    </div>
  )
}
