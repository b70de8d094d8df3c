/** The username, checked while it is typed. */
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useState } from 'react'
import { send, useSettings } from '../api/calls.ts'
import { useErrorText } from '../api/errors.ts'
import { useMessages } from '../i18n/messages.ts'
import { usernameMessages as messages } from '../messages/index.ts'
import { TextField } from './field.tsx'

/** After this time without input the username is checked. In milliseconds. */
const pause = 400

const availabilityQuery = (username: string | undefined) =>
  queryOptions({
    queryKey: ['username', username ?? ''],
    queryFn:
      username === undefined
        ? skipToken
        : () => send('POST /is-username-available', { body: { username } }).then(({ available }) => available),
    staleTime: 0,
    retry: false,
  })

/** The errors of a rejected username, for the `fields` of a form with this field. */
export const usernameErrors = <F extends string>(field: F) => ({
  USERNAME_IS_TOO_SHORT: field,
  USERNAME_IS_TOO_LONG: field,
  USERNAME_IS_INVALID: field,
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: field,
})

type Props = Omit<ComponentProps<typeof TextField>, 'label' | 'hint'> & {
  /** What the field contains. */
  readonly text: string
  /** The username that the user has, in lower case; it is not checked. */
  readonly current?: string | null
}

export function UsernameField({ text, current = null, error, ...control }: Props) {
  const t = useMessages(messages)
  const errorText = useErrorText()
  const { username: settings } = useSettings()
  const [checked, setChecked] = useState<string>()
  const { minLength: min = 0, maxLength: max = 255 } = settings ?? {}
  useEffect(() => {
    const next = text.length < min || text.length > max || text.toLowerCase() === current ? undefined : text
    const timer = setTimeout(() => setChecked(next), pause)
    return () => clearTimeout(timer)
  }, [text, current, min, max])
  const { data: isFree, isFetching, error: failure } = useQuery(availabilityQuery(checked))
  const isChecked = checked !== undefined && checked === text
  const state = (() => {
    if (!isChecked || error !== undefined) return ''
    if (isFetching) return t('checkingUsername')
    return isFree ? t('usernameIsFree', { name: checked }) : ''
  })()
  const taken = isChecked && isFree === false ? t('usernameIsTaken', { name: checked }) : undefined
  const failed = isChecked && failure ? errorText(failure).sentence : undefined
  return (
    <div>
      <TextField
        label={t('username')}
        hint={t('usernameHint', { min, max })}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={max}
        isOptional
        {...control}
        error={error ?? taken ?? failed}
      />
      <p role="status" className="mt-1 text-13 text-muted empty:hidden wrap-anywhere">
        {state}
      </p>
    </div>
  )
}
