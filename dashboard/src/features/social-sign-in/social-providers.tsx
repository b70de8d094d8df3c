/** What each configured provider grants, for administrators. */
import { useQuery } from '@tanstack/react-query'
import { Network, ShieldX } from 'lucide-react'
import { useId } from 'react'
import { ClientError } from '../../api/calls.ts'
import { CodeBlock, CopyButton, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, Facts, IconTile, PageHead, Tag } from '../../components/layout.tsx'
import { ProviderMark } from '../../components/provider-mark.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { messages } from './messages.ts'

const listProviders = () => call('GET /admin/social-providers', {})
type ListedProvider = Awaited<ReturnType<typeof listProviders>>[number]

const example =
  'socialProviders: { github: { clientId: process.env.GITHUB_CLIENT_ID, clientSecret: process.env.GITHUB_CLIENT_SECRET } },'

export function Screen() {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery({ queryKey: ['social-providers'], queryFn: listProviders })
  return (
    <>
      <PageHead title={t('socialProviders')}>{t('socialProvidersLead')}</PageHead>
      {data ? <Providers providers={data} /> : null}
      {data || error ? null : <Skeleton />}
      {error && !data ? <Failure error={error} retry={() => void refetch()} /> : null}
    </>
  )
}

function Failure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const t = useMessages(messages)
  const isDenied = error instanceof ClientError && error.status === 403
  return (
    <Card className="max-w-160">
      {isDenied ? (
        <Placeholder icon={ShieldX} title={t('notPermitted')}>
          {t('notPermittedText')}
        </Placeholder>
      ) : (
        <LoadError error={error} retry={retry} />
      )}
    </Card>
  )
}

function Providers({ providers }: { readonly providers: readonly ListedProvider[] }) {
  const t = useMessages(messages)
  if (providers.length > 0) {
    return (
      <ul className="grid max-w-200 grid-cols-1 gap-4">
        {providers.map((provider) => (
          <ProviderCard key={provider.id} provider={provider} />
        ))}
      </ul>
    )
  }
  return (
    <Card className="max-w-160">
      <Placeholder icon={Network} title={t('noProviders')}>
        <p className="mb-3">{t('noProvidersText')}</p>
        <CodeBlock code={example} label={t('configuration')} copyLabel={t('copyConfiguration')} />
      </Placeholder>
    </Card>
  )
}

const signUpTexts = { always: 'signUpAlways', requested: 'signUpRequested', never: 'signUpNever' } as const
const linkingTexts = { always: 'linkingTrusted', verified: 'linkingVerified', never: 'linkingNever' } as const

function ProviderCard({ provider }: { readonly provider: ListedProvider }) {
  const t = useMessages(messages)
  const heading = useId()
  const { id, name, redirectURI, signUp, linking, usesPKCE, canRefresh, idTokenSignIn } = provider
  const yesNo = (is: boolean) => t(is ? 'on' : 'off')
  const code = (text: string) => (
    <span dir="ltr" className="font-mono text-12">
      {text}
    </span>
  )
  return (
    <li aria-labelledby={heading}>
      <Card className="px-4 pt-3 pb-4">
        <div className="flex flex-wrap items-center gap-3 pb-2">
          <IconTile>
            <ProviderMark id={id} name={name} />
          </IconTile>
          <h2 id={heading} className="min-w-0 text-16 wrap-anywhere" translate="no">
            {name}
          </h2>
          {linking === 'always' ? <Tag tone="brass">{t('trusted')}</Tag> : null}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 border-y border-border py-2.5 text-13">
          <span className="text-muted">{t('redirectURI')}</span>
          <span className="-ms-1 font-mono text-12 [font-variant-ligatures:none]">
            <CopyButton text={redirectURI} label={t('copyRedirectURI')} isVisible />
          </span>
        </div>
        <Facts
          facts={[
            [t('providerId'), code(id)],
            [t('signUp'), t(signUpTexts[signUp])],
            [t('linking'), t(linkingTexts[linking])],
            [t('codeChallenge'), yesNo(usesPKCE)],
            [t('refreshTokens'), yesNo(canRefresh)],
            [t('idTokens'), yesNo(idTokenSignIn)],
          ]}
        />
        <Scopes scopes={provider.scopes} />
      </Card>
    </li>
  )
}

/** What a scope grants is described by the server, in English. */
function Scopes({ scopes }: Pick<ListedProvider, 'scopes'>) {
  const t = useMessages(messages)
  return (
    <>
      <h3 className="pt-4 pb-1 text-13">{t('scopes')}</h3>
      {scopes.length === 0 ? <p className="text-13 text-muted">{t('noScopes')}</p> : null}
      <ul className="grid grid-cols-1 gap-1.5 text-13">
        {scopes.map(({ name, grants }) => (
          <li key={name} className="grid grid-cols-1 items-baseline gap-x-6 card:grid-cols-[14rem_minmax(0,1fr)]">
            <span dir="ltr" className="font-mono text-12 wrap-anywhere [font-variant-ligatures:none]">
              {name}
            </span>
            {grants === null ? (
              <span className="text-muted">{t('ownScope')}</span>
            ) : (
              <span lang="en" dir="ltr">
                {grants}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
