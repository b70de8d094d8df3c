/** The preview of a brand: its options, each page and email in both themes, and the lines of the configuration. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import type { Locale } from '../../../../src/core/preferences.ts'
import { closestLocale } from '../../../../src/lib/locale.ts'
import { hasCode, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock, LoadError, Skeleton } from '../../components/feedback.tsx'
import { SelectField } from '../../components/field.tsx'
import { Card, PageHead, Section } from '../../components/layout.tsx'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { nameOfLocale } from '../../i18n/names.ts'
import { Controls } from './controls.tsx'
import { type Changes, changesOf, configLines, type Draft, draftOf, hasFiles, proposalOf } from './draft.ts'
import { messages } from './index.ts'
import { preview, Shown, type View } from './views.tsx'

export function Screen() {
  const t = useMessages(messages)
  const settings = useSettings()
  const { locale } = useLocale()
  const [draft, setDraft] = useState<Draft>(() => draftOf(settings))
  const [view, setView] = useState<View>({ kind: 'page', name: 'sign-in' })
  const [language, setLanguage] = useState<Locale>(
    (closestLocale(locale, settings.locales) ?? settings.locales[0] ?? 'en') as Locale,
  )
  const changes = changesOf(draft, settings)
  const request = useSettled({ ...view, locale: language, brand: proposalOf(changes) })
  const query = useQuery({
    queryKey: ['admin', 'preview-brand', request],
    queryFn: ({ signal }) => preview(request, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (hasCode(query.error, 'FORBIDDEN')) return <NotPermitted />
  return (
    <>
      <PageHead title={t('branding')} actions={<Button onClick={() => setDraft(draftOf(settings))}>{t('reset')}</Button>}>
        {t('lead')}
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-8 columns:grid-cols-[17rem_minmax(0,1fr)]">
        <Section title={t('options')}>
          <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
            <Controls draft={draft} onChange={(changed) => setDraft({ ...draft, ...changed })} />
            <Language value={language} onChange={setLanguage} />
          </Card>
        </Section>
        <div className="min-w-0">
          <Section title={t('preview')}>
            {query.data ? (
              <Shown {...{ view, setView, language, changes }} data={query.data} error={query.error} />
            ) : query.error ? (
              <LoadError error={query.error} retry={() => void query.refetch()} />
            ) : (
              <Skeleton />
            )}
          </Section>
          <Lines changes={changes} />
        </div>
      </div>
    </>
  )
}

/** Milliseconds without a change before the server is asked. */
const pause = 150

/** The value once it has not changed for a moment, such as while a color is dragged. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(useDeferredValue(settled)) as T
}

function Language({ value, onChange }: { readonly value: Locale; readonly onChange: (value: Locale) => void }) {
  const t = useMessages(messages)
  const { locales } = useSettings()
  if (locales.length < 2) return null
  return (
    <SelectField
      label={t('language')}
      value={value}
      options={locales.map((locale) => ({ value: locale, label: nameOfLocale(locale, locales) }))}
      onChange={(event) => onChange(event.target.value as Locale)}
    />
  )
}

function Lines({ changes }: { readonly changes: Changes }) {
  const t = useMessages(messages)
  const lines = configLines(changes)
  return (
    <Section title={t('lines')}>
      {lines === '' ? (
        <p className="text-13 text-muted">{t('noLines')}</p>
      ) : (
        <>
          <CodeBlock code={lines} label={t('linesText')} copyLabel={t('copyLines')} />
          {hasFiles(changes) ? <p className="mt-2 text-13 text-muted">{t('filesText')}</p> : null}
        </>
      )}
    </Section>
  )
}
