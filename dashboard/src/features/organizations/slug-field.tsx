/** The slug of an organization, checked while it is typed. */
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSlug } from '../../../../src/lib/text.ts'
import { hasCode } from '../../api/calls.ts'
import { useErrorText } from '../../api/errors.ts'
import { TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { messages } from './messages.ts'

/** After this time without input the slug is checked. In milliseconds. */
const pause = 400

const slugQuery = (slug: string | undefined) =>
  queryOptions({
    queryKey: ['slug', slug ?? ''],
    queryFn:
      slug === undefined
        ? skipToken
        : ({ signal }) =>
            call('POST /organization/check-slug', { body: { slug } }, { signal }).then(
              () => true,
              (error: unknown) => {
                if (hasCode(error, 'SLUG_IS_TAKEN')) return false
                throw error
              },
            ),
    staleTime: 0,
    retry: false,
  })

interface Props extends Pick<React.ComponentProps<'input'>, 'name' | 'onChange' | 'onBlur' | 'ref'> {
  /** What the field contains. */
  readonly text: string
  /** The slug that the organization has; it is not checked. */
  readonly current?: string
  readonly error: string | undefined
  readonly hint: string
}

export function SlugField({ text, current, error, hint, ...control }: Props) {
  const t = useMessages(messages)
  const errorText = useErrorText()
  const [checked, setChecked] = useState<string>()
  useEffect(() => {
    const next = text === current || !isSlug(text) ? undefined : text
    const timer = setTimeout(() => setChecked(next), pause)
    return () => clearTimeout(timer)
  }, [text, current])
  const { data: isFree, isFetching, error: failure } = useQuery(slugQuery(checked))
  const isChecked = checked !== undefined && checked === text
  const state = (() => {
    if (!isChecked || error !== undefined) return ''
    if (isFetching) return t('checkingSlug')
    if (failure) return errorText(failure).sentence
    return isFree ? t('slugIsFree', { slug: checked }) : ''
  })()
  const taken = isChecked && isFree === false ? t('slugIsTaken', { slug: checked }) : undefined
  return (
    <div>
      <TextField
        label={t('slug')}
        hint={hint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={255}
        {...control}
        error={error ?? taken}
      />
      <p role="status" className="mt-1 text-13 text-muted empty:hidden wrap-anywhere">
        {state}
      </p>
    </div>
  )
}
