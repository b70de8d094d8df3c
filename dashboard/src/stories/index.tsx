/** The story page: every component in every state. A component without stories fails `tests/browser/stories.test.ts`. */
import { pageURL, useSettings } from '../api/calls.ts'
import { SelectField } from '../components/field.tsx'
import { Card, PageHead } from '../components/layout.tsx'
import { Toasts } from '../components/toast.tsx'
import { messages } from '../features/development/index.ts'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { pseudoLocales } from '../i18n/pseudo.ts'
import { charts } from './charts.tsx'
import { controls } from './controls.tsx'
import { feedback } from './feedback.tsx'
import { fields } from './fields.tsx'
import { frame } from './frame.tsx'
import { layout } from './layout.tsx'
import type { Story } from './story.ts'
import { tables } from './tables.tsx'

const stories: readonly Story[] = [...controls, ...fields, ...feedback, ...layout, ...tables, ...charts, ...frame]

export function Screen() {
  const t = useMessages(messages)
  return (
    <>
      <PageHead title={t('components')} actions={<LocaleChoice />}>
        {t('componentsText')}
      </PageHead>
      <div className="grid gap-10">
        {stories.map(({ component, states }) => (
          <section key={component} aria-label={component}>
            <h2 className="mb-3 text-16">{component}</h2>
            <div className="grid items-start gap-4 console:grid-cols-2">
              {Object.entries(states).map(([name, state]) => (
                <div key={name} className="min-w-0">
                  <p className="mb-1.5 text-13 text-muted">{name}</p>
                  <Card className="p-4">{state}</Card>
                </div>
              ))}
            </div>
          </section>
        ))}
      </div>
      <Toasts />
    </>
  )
}

/** Loads the page again, so that a pseudo-locale is not stored as the language of this browser. */
function LocaleChoice() {
  const t = useMessages(messages)
  const { locale } = useLocale()
  const options = [...useSettings().locales, ...Object.keys(pseudoLocales)].map((value) => ({ value, label: value }))
  return (
    <SelectField
      label={t('locale')}
      value={locale}
      options={options}
      onChange={(event) => location.assign(`${pageURL('/components')}?lang=${event.target.value}`)}
    />
  )
}
