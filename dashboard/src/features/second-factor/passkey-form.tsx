/** A form that a passkey sends. Without scripts there are no passkeys, so that it stays hidden until the script shows it. */
import { shownProblems } from '../../browser/passkey-problems.ts'
import { Form } from '../../hosted/form.tsx'
import { Note } from '../../hosted/note.tsx'
import { type FormDeclaration, usePage } from '../../hosted/page.ts'
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
  const { site } = usePage()
  const options = `${site.api}/passkey/generate-authenticate-options`
  return (
    <div data-passkey-place hidden>
      <div className="grid gap-3">
        {shownProblems.map((problem) => (
          <div key={problem} data-problem={problem} hidden>
            <Note tone="danger" isLive>
              {t(problem)}
            </Note>
          </div>
        ))}
        <Form call={passkeyForm.call} submitLabel={label} variant={variant}>
          <input type="hidden" name="response" data-passkey={isOffered ? 'offered' : 'asked'} data-options={options} />
        </Form>
      </div>
    </div>
  )
}
