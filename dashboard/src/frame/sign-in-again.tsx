/** The dialog in which the user signs in again, while the page behind keeps its input. It lists the methods that folders declare. */
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { lastSession, queryClient, useSettings } from '../api/calls.ts'
import { Avatar } from '../components/avatar.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useLocale } from '../i18n/messages.ts'
import { socialMessages, useFrameMessages } from '../messages/index.ts'
import { type Account, accountsQuery } from '../session/accounts.ts'
import type { Known, SignInAgainMethod, SignInRequest } from '../session/sign-in-request.ts'
import { OrDivider } from './social-sign-in.tsx'

function CancelButton({ reason, finish }: SignInRequest) {
  const t = useFrameMessages()
  return <Button onClick={() => finish(false)}>{reason === 'ended' ? t('goToSignIn') : t('cancel')}</Button>
}

/** The sign-in methods of the user, as they were known before the session ended. */
function useMethods(methods: readonly SignInAgainMethod[], demand: SignInRequest['demand']) {
  const { locale } = useLocale()
  const settings = useSettings()
  const user = lastSession()?.user
  const accounts = queryClient.getQueryData<readonly Account[]>(accountsQuery.queryKey)
  const known: Known = { settings, user, accounts, factors: demand?.factors ?? [] }
  const wanted = demand ? 'second-factor' : undefined
  const available = methods.filter(({ proves, exists }) => proves === wanted && exists(known))
  const { data } = useQuery({
    queryKey: ['sign-in-again', locale, wanted, available.map(({ order }) => order)],
    queryFn: async () => {
      // Of the line between two methods.
      if (available.length > 1) await socialMessages.load(locale)
      const loaded = await Promise.all(
        available.map(async ({ load, question }) => ({ question, View: (await load(locale))?.SignInAgain })),
      )
      return loaded.flatMap(({ question, View }) => (View ? [{ question, View }] : []))
    },
    networkMode: 'always',
  })
  const question = (data?.length === 1 ? data[0]?.question : undefined) ?? ('confirmSignIn' as const)
  return { known, question, views: data?.map(({ View }) => View) ?? [], isPending: data === undefined }
}

const descriptions = {
  expired: 'sessionExpired',
  ended: 'sessionExpired',
  ending: 'sessionEndsSoon',
  'not-fresh': 'notFresh',
} as const

interface Props {
  readonly request: SignInRequest
  readonly methods: readonly SignInAgainMethod[]
}

export function SignInAgain({ request, methods }: Props) {
  const t = useFrameMessages()
  const { known, question, views, isPending } = useMethods(methods, request.demand)
  const { user } = known
  const isExpired = request.reason !== 'not-fresh'
  const usual = { title: isExpired ? t('signInAgain') : t(question), description: t(descriptions[request.reason]) }
  const texts = request.demand ? { title: t('confirmFactor'), description: t('factorDemanded') } : usual
  const isLast = (position: number) => position === views.length - 1
  const cancel = <CancelButton {...request} />
  return (
    <Dialog
      isOpen
      // Escape must not leave the page with what was entered.
      onClose={() => request.reason === 'ended' || request.finish(false)}
      {...texts}
    >
      <div className="flex items-center gap-2.5 text-13">
        <Avatar name={user?.name ?? ''} />
        <div className="min-w-0">
          <div className="truncate font-medium">{user?.name}</div>
          <div className="truncate text-12 text-muted">{user?.email}</div>
        </div>
      </div>
      {views.map((View, position) => (
        <Fragment key={View.name + String(position)}>
          {position > 0 ? <OrDivider /> : null}
          <View {...known} request={request} cancel={isLast(position) ? cancel : null} />
        </Fragment>
      ))}
      {views.length > 0 || isPending ? null : <div className="flex">{cancel}</div>}
    </Dialog>
  )
}
