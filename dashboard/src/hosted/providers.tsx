/** One button per provider, of one form, which leads to the provider. */
import { buttonLook } from '../components/look.ts'
import { useMessages } from '../i18n/messages.ts'
import { socialMessages } from '../messages/index.ts'
import { CaptchaPlace } from './captcha-place.tsx'
import { FailureNote, LastUsed } from './note.tsx'
import { type FormDeclaration, pagePath, pageURL, usePage, useParameter } from './page.ts'
import { ProviderMark } from './provider-mark.tsx'

const call = 'POST /sign-in/social'

export const startSocial: FormDeclaration = {
  call,
  method: ({ provider = '' }) => provider,
  // A failure at the provider comes back to the same page, which says where it was.
  becomes: ({ errorCallbackURL = '', provider = '', ...values }) => {
    const url = URL.parse(errorCallbackURL)
    url?.searchParams.set('provider', provider)
    return { call, values: { ...values, provider, errorCallbackURL: url?.href ?? errorCallbackURL } }
  },
  next: ({ url }: { readonly url?: string }, { parameters }) =>
    url === undefined ? { leave: parameters.callbackURL ?? null } : { url },
}

interface Provider {
  readonly id: string
  readonly name: string
}

interface Props {
  readonly providers: readonly Provider[]
  /** Whether a provider that creates users only on request may create one. */
  readonly isSignUp?: boolean
}

export function ProviderButtons({ providers, isSignUp = false }: Props) {
  const t = useMessages(socialMessages)
  const { site, page } = usePage()
  const callbackURL = useParameter('callbackURL')
  const failure = page.form?.call === call ? page.failure : null
  if (providers.length === 0) return null
  return (
    <form method="post" action={`${site.api}/sign-in/social`} className="grid grid-cols-1 gap-3">
      <input type="hidden" name="latchkey:page" value={pagePath(site, page.path, page.parameters)} />
      <input type="hidden" name="callbackURL" value={callbackURL ?? pageURL(site, '/account')} />
      <input type="hidden" name="errorCallbackURL" value={pageURL(site, page.path, { callbackURL })} />
      {isSignUp ? <input type="hidden" name="requestSignUp" value="true" /> : null}
      {failure ? <FailureNote failure={failure} /> : null}
      <CaptchaPlace call={call} />
      <ul className="grid grid-cols-1 gap-2">
        {providers.map(({ id, name }) => (
          <li key={id}>
            <button
              type="submit"
              name="provider"
              value={id}
              data-wait={failure?.retryAfter ?? undefined}
              className={buttonLook({ variant: 'secondary', size: 'large' })}
            >
              <ProviderMark id={id} name={name} />
              <span className="min-w-0 grow text-center">{t('continueWith', { provider: name })}</span>
              {page.lastMethod === id ? (
                <LastUsed method={id} />
              ) : (
                // Centers the text, while there is room.
                <span className="w-4.5 shrink-999" />
              )}
            </button>
          </li>
        ))}
      </ul>
    </form>
  )
}
