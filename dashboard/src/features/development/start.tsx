/** The first page of a development server: what it offers, who is signed in, and how an app uses it. */
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  BookOpen,
  CircleUserRound,
  Component,
  LogIn,
  type LucideIcon,
  Mail,
  Palette,
  UserRound,
  UserRoundPlus,
} from 'lucide-react'
import { Suspense } from 'react'
import { apiPath, pageURL, send, sessionQuery, useSettings } from '../../api/calls.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button, ButtonLink, ExternalButton } from '../../components/button.tsx'
import { CodeBlock, CopyButton, ErrorNote, LoadError, Skeleton } from '../../components/feedback.tsx'
import { Card, Facts, IconTile, Line, Lines, PageHead, Section } from '../../components/layout.tsx'
import { useInstancePath } from '../../frame/frame-navigation.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

export function Screen() {
  const t = useMessages(messages)
  const { appName } = useSettings()
  return (
    <>
      <PageHead title={t('isRunning', { appName })}>{t('isRunningText')}</PageHead>
      <Card>
        <Suspense fallback={<Skeleton />}>
          <CurrentUser />
        </Suspense>
      </Card>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-8 console:grid-cols-2">
        <Pages />
        <div>
          <Administrator />
          <Snippets />
        </div>
      </div>
    </>
  )
}

/** A new page replaces this one, so that nothing of the last user is shown again. */
const reload = () => location.reload()

function CurrentUser() {
  const t = useMessages(messages)
  const { mailbox, emailPassword } = useSettings()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const leave = useMutation({ mutationFn: () => send('POST /sign-out', {}), onSuccess: reload })
  return (
    <div aria-live="polite">
      <Lines>
        {session ? (
          <Line
            icon={<Avatar name={session.user.name} />}
            title={t('signedInAs', { name: session.user.name })}
            action={
              <div className="flex flex-wrap gap-2">
                <AdministrationLink />
                <ButtonLink to="/account" variant="primary">
                  {t('openAccount')}
                </ButtonLink>
                <Button isBusy={leave.isPending} onClick={() => leave.mutate()}>
                  {t('signOut')}
                </Button>
              </div>
            }
          >
            {session.user.email}
          </Line>
        ) : (
          <Line
            icon={
              <IconTile>
                <UserRound className="size-4" />
              </IconTile>
            }
            title={t('notSignedIn')}
            action={
              <div className="flex flex-wrap gap-2">
                {emailPassword?.signUp ? (
                  <ButtonLink to="/sign-up" search={{ callbackURL: pageURL('/') }} variant="primary">
                    {t('signUp')}
                  </ButtonLink>
                ) : null}
                <ButtonLink to="/sign-in" search={{ callbackURL: pageURL('/') }}>
                  {t('signIn')}
                </ButtonLink>
              </div>
            }
          >
            {mailbox ? t('notSignedInText') : t('notSignedInNoMailboxText')}
          </Line>
        )}
      </Lines>
      {leave.error ? <ErrorNote error={leave.error} /> : null}
    </div>
  )
}

function AdministrationLink() {
  const t = useMessages(messages)
  const path = useInstancePath()
  return path === undefined ? null : <ButtonLink to={path}>{t('openAdministration')}</ButtonLink>
}

const tileLook =
  'flex min-w-0 items-center gap-3 px-4 py-3 hover:bg-hover first:rounded-t-card last:rounded-b-card focus-visible:-outline-offset-2'

interface TileProps {
  readonly to: string
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
  /** Whether the page is one of the API. */
  readonly isOutside?: boolean
}

function Tile({ to, icon: Icon, title, text, isOutside = false }: TileProps) {
  const content = (
    <>
      <IconTile>
        <Icon className="size-4" />
      </IconTile>
      <span className="min-w-0 grow">
        <span className="block font-medium text-accent">{title}</span>
        <span className="block text-muted">{text}</span>
      </span>
    </>
  )
  return (
    <li>
      {isOutside ? (
        <a href={to} className={tileLook}>
          {content}
        </a>
      ) : (
        <Link to={to} className={tileLook}>
          {content}
        </Link>
      )}
    </li>
  )
}

function Pages() {
  const t = useMessages(messages)
  const { admin, emailPassword, mailbox, openAPI } = useSettings()
  return (
    <Section title={t('pages')} description={t('pagesText')}>
      <Card>
        <Lines>
          {emailPassword?.signUp ? <Tile to="/sign-up" icon={UserRoundPlus} title={t('signUp')} text={t('signUpText')} /> : null}
          {emailPassword ? <Tile to="/sign-in" icon={LogIn} title={t('signIn')} text={t('signInText')} /> : null}
          <Tile to="/account" icon={CircleUserRound} title={t('account')} text={t('accountText')} />
          {mailbox ? <Tile to="/mailbox" icon={Mail} title={t('mailbox')} text={t('mailboxText')} /> : null}
          {admin ? <Tile to="/admin/branding" icon={Palette} title={t('branding')} text={t('brandingText')} /> : null}
          {openAPI ? (
            <Tile to={`${apiPath}/reference`} icon={BookOpen} title={t('reference')} text={t('referenceText')} isOutside />
          ) : null}
          <Tile to="/components" icon={Component} title={t('components')} text={t('componentsText')} />
        </Lines>
      </Card>
    </Section>
  )
}

function Administrator() {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery({ queryKey: ['development'], queryFn: () => send('GET /development', {}) })
  const signIn = useMutation({
    mutationFn: (body: { readonly email: string; readonly password: string }) => send('POST /sign-in/email', { body }),
    onSuccess: reload,
  })
  if (error) return <LoadError error={error} retry={() => void refetch()} />
  if (!data?.administrator) return null
  const { email, password } = data.administrator
  return (
    <Section title={t('administrator')} description={t('administratorText')}>
      <Card className="grid gap-2 px-4 pt-2 pb-4">
        <Facts
          isNarrow
          facts={[
            [t('email'), <CopyButton key="email" text={email} label={t('copyEmail')} isVisible />],
            [t('password'), <CopyButton key="password" text={password} label={t('copyPassword')} isVisible />],
          ]}
        />
        {signIn.error ? <ErrorNote error={signIn.error} /> : null}
        <div>
          <Button isBusy={signIn.isPending} onClick={() => signIn.mutate({ email, password })}>
            {t('signInAsAdministrator')}
          </Button>
        </div>
      </Card>
    </Section>
  )
}

/** The client adds the usual path itself. */
const clientURL = apiPath === '/api/auth' ? location.origin : `${location.origin}${apiPath}`

const clientCode = (baseURL: string) => `import { createAuthClient } from 'better-auth/react'

export const authClient = createAuthClient({ baseURL: '${baseURL}' })`

function Snippets() {
  const t = useMessages(messages)
  const copyLabel = t('copyCode')
  const signInURL = `${pageURL('/sign-in')}?callbackURL=http://localhost:5173/`
  return (
    <Section title={t('useInApp')} description={t('useInAppText')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <CodeBlock label={t('installClient')} copyLabel={copyLabel} code="npm install better-auth@1.7.25" />
        <CodeBlock label={t('createClient')} copyLabel={copyLabel} code={clientCode(clientURL)} />
        <CodeBlock label={t('sendToSignIn')} copyLabel={copyLabel} code={signInURL} />
        <p className="text-13 text-muted">{t('readQuickstart')}</p>
        <div>
          <ExternalButton href={`${apiPath}/development/docs/quickstart.md`}>{t('openQuickstart')}</ExternalButton>
        </div>
      </div>
    </Section>
  )
}
