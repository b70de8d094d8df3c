/** Parts of the pages: texts of the document, tables of members, and code. */
import type { ReactNode } from 'react'
import { linkLook } from '../components/look.ts'
import { type Schema, schemaName } from './document.ts'
import { useReferenceMessages } from './messages.ts'
import { limitsOf, namesIn, type Row, rowsOf, typeOf } from './schema-rows.ts'
import { useReference } from './site.ts'

export const Code = ({ children }: { readonly children: ReactNode }) => (
  <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.93em] wrap-anywhere">{children}</code>
)

/** `code` and **strong** of a sentence of the document. */
const inline = (text: string): ReactNode[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, at) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of one text never change their place
    if (part.startsWith('`')) return <Code key={at}>{part.slice(1, -1)}</Code>
    if (part.startsWith('**')) return <strong key={at}>{part.slice(2, -2)}</strong>
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
    return part
  })

/** A text of the document, in English. */
export const Prose = ({ text, className = '' }: { readonly text: string; readonly className?: string }) => (
  <div lang="en" className={`max-w-prose space-y-2 ${className}`}>
    {text.split('\n\n').map((paragraph) => (
      <p key={paragraph}>{inline(paragraph)}</p>
    ))}
  </div>
)

interface HeadingProps {
  readonly id: string
  readonly title: string
  readonly lang?: string
}

/** A heading with the link to its section. */
export function Heading({ id, title, lang }: HeadingProps) {
  const t = useReferenceMessages()
  return (
    <h2 className="text-20 wrap-anywhere">
      <span lang={lang}>{title}</span>{' '}
      <a href={`#${id}`} aria-label={t('linkTo', { title })} className="rounded-sm px-1.5 text-16 text-muted hover:text-accent">
        #
      </a>
    </h2>
  )
}

export const Subheading = ({ children }: { readonly children: ReactNode }) => (
  <h3 className="mt-6 mb-2 text-14 font-semibold">{children}</h3>
)

interface TableProps {
  readonly head: readonly [string, string]
  readonly label: string
  readonly rows: readonly { readonly key: string; readonly first: ReactNode; readonly second: ReactNode }[]
}

/** Two columns, which are enough for any width. */
export const Table = ({ head, label, rows }: TableProps) => (
  <table aria-label={label} className="w-full table-fixed border-collapse text-start text-13">
    <thead>
      <tr className="border-b border-border-strong text-muted">
        {head.map((title, at) => (
          <th key={title} scope="col" className={`py-1.5 pe-4 text-start font-medium ${at === 0 ? 'w-2/5' : ''}`}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, first, second }) => (
        <tr key={key} className="border-b border-border align-top">
          <th scope="row" className="py-2 pe-4 text-start font-normal wrap-anywhere">
            {first}
          </th>
          <td className="py-2 wrap-anywhere">{second}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

interface MemberProps {
  readonly row: Row
  /** Of a parameter: where it is. */
  readonly place?: string
}

/** The type of a value, with links to the objects that it names. */
function Type({ schema }: { readonly schema: Schema }) {
  const { base } = useReference()
  const names = new Set(namesIn(schema))
  return (
    <span lang="en" className="font-mono text-12 text-muted">
      {typeOf(schema)
        .split(/(\w+)/)
        .map((part, at) =>
          names.has(part) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their place
            <a key={at} href={`${base}/objects#${part}`} className={linkLook(true)}>
              {part}
            </a>
          ) : (
            part
          ),
        )}
      {schema.format === undefined ? '' : ` (${schema.format})`}
    </span>
  )
}

const bounds = ([least, most]: readonly [number | undefined, number | undefined]) =>
  least === undefined && most === undefined ? null : { least, most }

/** What is allowed, a line each. */
function Limits({ schema }: { readonly schema: Schema }) {
  const t = useReferenceMessages()
  const { values, characters, items, range, pattern } = limitsOf(schema)
  const [length, count, span] = [characters, items, range].map(bounds)
  const codes = (label: string, all: readonly unknown[]) =>
    all.length === 0 ? null : (
      <>
        {label}:{' '}
        {all.map((value, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the values of one schema never change their place
          <span key={at}>
            {at > 0 ? ', ' : ''}
            <Code>{typeof value === 'string' ? value : JSON.stringify(value)}</Code>
          </span>
        ))}
      </>
    )
  const lines = [
    codes(t('oneOf'), values),
    length && t('characters', length),
    count && t('items', count),
    span && t('range', span),
    codes(t('pattern'), pattern === undefined ? [] : [pattern]),
    codes(t('byDefault'), schema.default === undefined ? [] : [schema.default]),
    codes(t('example'), (schema.examples ?? []).slice(0, 1)),
  ]
  return (
    <>
      {lines.map((line, at) =>
        line === null || line === undefined ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their place
          <div key={at} className="text-muted">
            {line}
          </div>
        ),
      )}
    </>
  )
}

export function memberRow(t: ReturnType<typeof useReferenceMessages>, { row: { name, isRequired, schema }, place }: MemberProps) {
  return {
    key: `${place ?? ''} ${name}`,
    first: (
      <>
        <code className="font-mono">{name}</code>
        {place === undefined ? null : <div className="text-12 text-muted">{place}</div>}
        {isRequired ? <div className="text-12 font-medium text-brass">{t('required')}</div> : null}
      </>
    ),
    second: (
      <>
        <Type schema={schema} />
        {schema.description === undefined ? null : <Prose text={schema.description} />}
        <Limits schema={schema} />
      </>
    ),
  }
}

/** Every member is there, and the example of the response has its value. */
const returned = ({ schema: { examples: _, ...schema }, ...row }: Row): Row => ({ ...row, schema, isRequired: false })

interface MembersProps {
  readonly schema: Schema
  readonly label: string
  readonly isResponse?: boolean
}

/** The members of an object, or its type when it has none. */
export function Members({ schema, label, isResponse = false }: MembersProps) {
  const t = useReferenceMessages()
  const { document } = useReference()
  const named = schemaName(schema)
  const rows = rowsOf(named === null ? schema : (document.components.schemas[named] ?? schema))
  const isPlain = named === null && !schema.properties
  return (
    <>
      {named !== null || isPlain ? (
        <p className="mb-2">
          <Type schema={schema} />
        </p>
      ) : null}
      {rows.length === 0 ? (
        isPlain || named !== null ? null : (
          <p className="text-13 text-muted">{t('noMembers')}</p>
        )
      ) : (
        <Table
          label={label}
          head={[t('name'), t('typeAndMeaning')]}
          rows={rows.map((row) => memberRow(t, { row: isResponse ? returned(row) : row }))}
        />
      )}
    </>
  )
}
