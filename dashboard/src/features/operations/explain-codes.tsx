/** What each code means, what to do, and where its options are set. */
import { Card, Facts, Tag } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import type { Explanation } from './explain.tsx'
import { messages } from './explain-texts.ts'

type Place = Explanation['settings'][number]

interface Props {
  readonly codes: Explanation['codes']
  readonly settings: readonly Place[]
}

/** Meanings and fixes come from the reference, which is in English. */
export function CodeList({ codes, settings }: Props) {
  const t = useMessages(messages)
  return (
    <div className="grid gap-4">
      {codes.map(({ code, of, meaning, fix, settings: paths }) => (
        <Card key={`${of} ${code}`} className="p-4">
          <h3 className="flex flex-wrap items-center gap-2 font-mono text-13 font-medium wrap-anywhere" translate="no">
            {code}
            {of === 'command' ? <Tag>{t('ofCommands')}</Tag> : null}
          </h3>
          <Facts
            isNarrow
            facts={[
              [t('meaning'), <Reference key="meaning" text={meaning} />],
              [t('fix'), <Reference key="fix" text={fix} />],
              ...(paths.length > 0 ? [[t('options'), <Options key="options" {...{ paths, settings }} />] as const] : []),
            ]}
          />
        </Card>
      ))}
    </div>
  )
}

/** What stands between backticks is code. */
const Reference = ({ text }: { readonly text: string }) => (
  <span lang="en" dir="ltr">
    {text.split('`').map((part, position) =>
      position % 2 === 0 ? (
        part
      ) : (
        <code key={part} className="rounded-sm bg-sunken px-1 font-mono text-12 wrap-anywhere">
          {part}
        </code>
      ),
    )}
  </span>
)

interface OptionsProps {
  readonly paths: readonly string[]
  readonly settings: readonly Place[]
}

function Options({ paths, settings }: OptionsProps) {
  return (
    <ul className="grid gap-1">
      {paths.map((path) => (
        <li key={path}>
          <Option path={path} place={settings.find((one) => one.path === path)} />
        </li>
      ))}
    </ul>
  )
}

function Option({ path, place }: { readonly path: string; readonly place: Place | undefined }) {
  const t = useMessages(messages)
  const value = place === undefined || place.value === null ? '' : ` = ${JSON.stringify(place.value)}`
  return (
    <>
      <code translate="no" className="font-mono text-12 wrap-anywhere">
        {path}
        {value.length > 80 ? `${value.slice(0, 79)}…` : value}
      </code>
      {place ? (
        <span className="block text-12 text-muted">{placeText(place, t('isDefault'), (at) => t('placeOf', at))}</span>
      ) : null}
    </>
  )
}

function placeText(
  { origin, file, line }: Place,
  isDefault: string,
  placeOf: (at: { readonly file: string; readonly line: number }) => string,
): string {
  const at = file === null ? '' : line === null ? file : placeOf({ file, line })
  if (origin === 'file') return at
  return [origin === 'default' ? isDefault : origin, at].filter(Boolean).join(', ')
}
