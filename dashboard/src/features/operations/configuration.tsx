/** The loaded configuration: every option with its value and origin, without secrets. Read only. */
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Note, Placeholder } from '../../components/feedback.tsx'
import { Card, Facts, Time } from '../../components/layout.tsx'
import { Cell, Filter, Row, SearchField, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter, useSearchText } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { type Configuration, configurationQuery, type Option } from './data.ts'
import { Code, Command } from './parts.tsx'
import { SystemPage } from './system.tsx'
import { systemMessages } from './system-messages.ts'

export function Screen() {
  const t = useMessages(systemMessages)
  const query = useQuery(configurationQuery)
  return (
    <SystemPage path="/admin/configuration" lead={t('configurationLead')} query={query}>
      {(configuration) => (
        <>
          <Drift drift={configuration.drift} />
          <Summary configuration={configuration} />
          <Weaker weaker={configuration.weaker} />
          <Options options={configuration.options} />
        </>
      )}
    </SystemPage>
  )
}

function Drift({ drift }: Pick<Configuration, 'drift'>) {
  const t = useMessages(systemMessages)
  if (!drift) return null
  return (
    <div className="mb-4 max-w-160">
      <Note tone="warning" title={t('drift')}>
        <p>
          <Time value={drift.changedAt} style="dateTime" />. {t('driftText')}
        </p>
        <Command code="latchkey config check && latchkey reload" />
      </Note>
    </div>
  )
}

/** The server words weaknesses, in English. */
function Weaker({ weaker }: Pick<Configuration, 'weaker'>) {
  const t = useMessages(systemMessages)
  if (weaker.length === 0) return null
  return (
    <div className="mb-6 max-w-160">
      <Note tone="warning" title={t('weaker')}>
        <ul className="list-disc pl-4">
          {weaker.map(({ id, path, message }) => (
            <li key={`${id} ${path}`}>
              <Code>{path}</Code>:{' '}
              <span lang="en" dir="ltr">
                {message}
              </span>
            </li>
          ))}
        </ul>
      </Note>
    </div>
  )
}

function Summary({ configuration: { environment, version, file, loadedAt } }: { readonly configuration: Configuration }) {
  const t = useMessages(systemMessages)
  return (
    <div className="mb-6">
      <Facts
        facts={[
          [t('environment'), <Code key="environment">{environment}</Code>],
          [t('version'), <Code key="version">{version}</Code>],
          [t('file'), file === null ? t('noFile') : <Code key="file">{file}</Code>],
          [t('loaded'), <Time key="loaded" value={loadedAt} style="dateTime" />],
        ]}
      />
    </div>
  )
}

const isDefault = ({ value, default: standard }: Option): boolean => JSON.stringify(value) === JSON.stringify(standard)
/** With the origin of each value: a value from the file may be equal to the default. */
const isChanged = (option: Option): boolean => option.origin !== 'default' || !isDefault(option)

function Options({ options }: Pick<Configuration, 'options'>) {
  const t = useMessages(systemMessages)
  const { format } = useLocale()
  const { text, setText } = useSearchText()
  const filter = useFilter()
  const showsAll = useParameter('show') === 'all'
  const words = text.trim().toLowerCase()
  const matches = ({ path, description }: Option) => `${path} ${description ?? ''}`.toLowerCase().includes(words)
  // A search finds every option, because the one that is looked for may be unset.
  const shown = options.filter((option) => (words === '' ? showsAll || isChanged(option) : matches(option)))
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label={t('searchOptions')} placeholder={t('searchOptionsHint')} value={text} onSearch={setText} />
        <Filter
          label={t('option')}
          value={showsAll || words !== '' ? 'all' : ''}
          options={[
            { value: '', label: t('changedOptions') },
            { value: 'all', label: t('allOptions') },
          ]}
          onChange={(next) => {
            setText('')
            filter({ show: next || undefined, search: undefined })
          }}
        />
        <p role="status" className="text-13 text-muted tabular-nums card:ms-auto">
          {t('optionCount', { count: shown.length })}
          <span className="sr-only"> / {format.number(options.length)}</span>
        </p>
      </div>
      {shown.length === 0 ? (
        <NoOptions
          onShowAll={() => {
            setText('')
            filter({ show: 'all', search: undefined })
          }}
        />
      ) : (
        <OptionTable options={shown} />
      )}
    </>
  )
}

function NoOptions({ onShowAll }: { readonly onShowAll: () => void }) {
  const t = useMessages(systemMessages)
  return (
    <Card className="max-w-160">
      <Placeholder icon={SearchX} title={t('noOptions')} actions={<Button onClick={onShowAll}>{t('showAllOptions')}</Button>}>
        {t('noOptionsText')}
      </Placeholder>
    </Card>
  )
}

function OptionTable({ options }: { readonly options: readonly Option[] }) {
  const t = useMessages(systemMessages)
  return (
    <Table label={t('option')} columns={[{ label: t('option') }, { label: t('value') }, { label: t('origin') }]}>
      {options.map((option) => (
        <Row key={option.path} head={<OptionHead option={option} />}>
          <Cell label={t('value')} isWrapping>
            <span className="block card:min-w-60 card:max-w-90">
              <Value value={option.value} />
              {option.default === null || isDefault(option) ? null : (
                <span className="block text-12 text-muted">
                  {t('defaultValue')}: <Value value={option.default} />
                </span>
              )}
            </span>
          </Cell>
          <Cell label={t('origin')}>
            <Origin origin={option.origin} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

/** The server describes options, in English. */
const OptionHead = ({ option: { path, description } }: { readonly option: Option }) => (
  <div className="py-1 wrap-anywhere">
    <Code>{path}</Code>
    {description === null ? null : (
      <span lang="en" dir="ltr" className="block text-12 text-muted">
        {description}
      </span>
    )}
  </div>
)

function Value({ value }: { readonly value: unknown }) {
  const t = useMessages(systemMessages)
  if (value === null || value === undefined) return <span className="text-muted">{t('notSet')}</span>
  return <Code>{typeof value === 'string' ? value : JSON.stringify(value)}</Code>
}

function Origin({ origin }: Pick<Option, 'origin'>) {
  const t = useMessages(systemMessages)
  if (origin === 'default') return <span className="text-muted">{t('fromDefault')}</span>
  if (origin === 'file') return t('fromFile')
  return <Code>{origin.replace(/^environment /, '')}</Code>
}
