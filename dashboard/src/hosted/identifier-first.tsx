/**
 * The sign-in page with the identifier first. Both steps are one document, and the script leads from one to the other, so that the
 * server is asked nothing about an address. Without the script, the first step leads to the page with all methods.
 */
import type { PublicSettings } from '../../../src/features/index.ts'
import { buttonLook, linkLook } from '../components/look.ts'
import { useMessages } from '../i18n/messages.ts'
import { TextField } from './form.tsx'
import { OrDivider } from './layout.tsx'
import { pagePath, usePage, useSettings } from './page.ts'
import { messages } from './sign-in-messages.ts'
import type { IdentifierKind, SignInMethod } from './sign-in-method.ts'

/** The page with all methods, in place of this one. */
export const everyMethod = { methods: 'all' } as const

/** Whether there is a second step. */
export const hasSteps = (methods: readonly SignInMethod[], settings: PublicSettings): boolean =>
  methods.some((method) => kindsOf([method], settings).length > 0)

interface Props {
  /** In their order; at least one needs an identifier. */
  readonly methods: readonly SignInMethod[]
}

export function IdentifierFirst({ methods }: Props) {
  const { page } = usePage()
  const settings = useSettings()
  const known = methods.filter((method) => kindsOf([method], settings).length > 0)
  const failed = page.form && known.find(({ forms }) => forms.some(({ call }) => call === page.form?.call))
  const { email, phoneNumber } = page.form?.values ?? {}
  const typed = failed ? (email ?? phoneNumber) : undefined
  const at = methods.findIndex((method) => known.includes(method))
  const [before, after] = [methods.slice(0, at), methods.slice(at).filter((method) => !known.includes(method))]
  return (
    <div data-identifier-first className="space-y-6">
      <Others methods={before} isHidden={typed !== undefined} />
      {before.length > 0 ? <Or isHidden={typed !== undefined} /> : null}
      <FirstStep methods={known} isHidden={typed !== undefined} />
      <SecondStep methods={known} typed={typed} failed={failed ?? null} hasMore={methods.length > 1} />
      {after.length > 0 ? <Or isHidden={typed !== undefined} /> : null}
      <Others methods={after} isHidden={typed !== undefined} />
    </div>
  )
}

interface Hideable {
  readonly isHidden: boolean
}

const Or = ({ isHidden }: Hideable) => (
  <div data-other hidden={isHidden}>
    <OrDivider />
  </div>
)

const Others = ({ methods, isHidden }: Props & Hideable) =>
  methods.length === 0 ? null : (
    <div data-other hidden={isHidden} className="grid grid-cols-1 gap-2">
      {methods.map(({ names: [name], View }) => (
        <div key={name} data-method={name}>
          <View />
        </div>
      ))}
    </div>
  )

const labels = {
  email: 'email',
  'email phone': 'emailOrPhone',
  'email username': 'emailOrUsername',
  'email phone username': 'emailUsernameOrPhone',
  phone: 'phoneNumber',
} as const
const types = { email: 'email', phone: 'tel' } as const

const kindsOf = (methods: readonly SignInMethod[], settings: PublicSettings): readonly IdentifierKind[] =>
  [...new Set(methods.flatMap(({ identifiers }) => identifiers?.(settings) ?? []))].toSorted()

/** The field has no name: without the script, the address does not get into that of the next page. */
function FirstStep({ methods, isHidden }: Props & Hideable) {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const settings = useSettings()
  const { callbackURL } = page.parameters
  const kinds = kindsOf(methods, settings).join(' ')
  return (
    <form
      noValidate
      method="get"
      action={pagePath(site, page.path)}
      data-first-step={kinds}
      hidden={isHidden}
      className="grid gap-5"
    >
      {Object.entries({ callbackURL, ...everyMethod }).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="[@media(scripting:none)]:hidden">
        <TextField
          label={t(labels[kinds as keyof typeof labels])}
          type={types[kinds as keyof typeof types] ?? 'text'}
          initial={page.kept.email}
          autoComplete={settings.passkey ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <button type="submit" className={buttonLook({ variant: 'primary', size: 'large' })}>
        {t('continue')}
      </button>
    </form>
  )
}

interface SecondStepProps extends Props {
  /** With which a form has failed. */
  readonly typed: string | undefined
  readonly failed: SignInMethod | null
  readonly hasMore: boolean
}

function SecondStep({ methods, typed, failed, hasMore }: SecondStepProps) {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const settings = useSettings()
  return (
    <div data-second-step hidden={typed === undefined} className="space-y-6">
      <p className="flex items-center justify-between gap-3 rounded-control border border-border px-3 py-2">
        <bdi data-typed className="min-w-0 wrap-anywhere">
          {typed}
        </bdi>
        <a href={pagePath(site, page.path, page.parameters)} data-change className={linkLook()}>
          {t('change')}
        </a>
      </p>
      {methods.map((method, at) => (
        <div
          key={method.names[0]}
          data-method={method.names[0]}
          data-accepts={method.identifiers?.(settings).join(' ')}
          data-failed={method === failed ? '' : undefined}
          hidden={method !== failed}
          className="space-y-3"
        >
          <method.View identifier={typed ?? ''} isFirst={at === 0} />
        </div>
      ))}
      {hasMore ? (
        <button type="button" data-another className={buttonLook({ variant: 'ghost', size: 'large' })}>
          {t('anotherWay')}
        </button>
      ) : null}
    </div>
  )
}
