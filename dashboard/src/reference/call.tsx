/** One call: what it does, receives and returns on one side, its code on the other. */
import { buttonLook } from '../components/look.ts'
import { type Call, errorsOfCall, responseOf } from './document.ts'
import { useReferenceMessages } from './messages.ts'
import { Heading, Members, memberRow, Prose, Subheading, Table } from './parts.tsx'
import { useReference } from './site.ts'
import { languages, type Sent, sentBy, snippetsOf } from './snippets.ts'

export const Method = ({ method }: { readonly method: string }) => (
  <span className="font-mono text-12 font-medium text-muted">{method}</span>
)

const schemeNames = { apiKeyCookie: 'sessionCookie', bearerAuth: 'bearerToken', apiKey: 'apiKey' } as const

export function CallSection({ call }: { readonly call: Call }) {
  const t = useReferenceMessages()
  const { document } = useReference()
  const { method, path, operation } = call
  const sent = sentBy(document, call)
  return (
    <section id={operation.operationId} className="border-t border-border pt-8 pb-10">
      <Heading id={operation.operationId} title={operation.summary} lang="en" />
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <Method method={method} />
        <code className="min-w-0 font-mono text-13 wrap-anywhere">{path}</code>
        {operation.deprecated ? <span className="text-13 font-medium text-brass">{t('deprecated')}</span> : null}
      </p>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 columns:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]">
        <div className="min-w-0">
          <Prose text={operation.description} />
          <Accepted call={call} />
          <Input call={call} />
          <Success call={call} />
          <Errors call={call} />
        </div>
        <div className="min-w-0 space-y-4 columns:sticky columns:top-18 columns:self-start">
          <Snippets id={operation.operationId} sent={sent} />
          <ExampleResponse call={call} />
          <div data-try={JSON.stringify(requestOf(call, sent))} className="[@media(scripting:none)]:hidden" />
        </div>
      </div>
    </section>
  )
}

/** What the form to try a call needs. */
const requestOf = ({ method, path, operation }: Call, { body }: Sent) => ({
  ...{ method, path },
  parameters: operation.parameters.map((each) => ({
    name: each.name,
    in: each.in,
    required: each.required,
    example: each.example,
  })),
  ...(body && { body: body.value, isForm: body.isForm }),
})

function Accepted({ call: { operation } }: { readonly call: Call }) {
  const t = useReferenceMessages()
  const { base } = useReference()
  const names = operation.security.flatMap((scheme) => Object.keys(scheme))
  if (names.length === 0) return null
  return (
    <p className="mt-2">
      <a href={`${base}#credentials`} className="font-semibold underline underline-offset-3">
        {t('accepts')}
      </a>
      {': '}
      {names.map((name) => t(schemeNames[name as keyof typeof schemeNames] ?? 'apiKey')).join(', ')}
    </p>
  )
}

function Input({ call: { operation } }: { readonly call: Call }) {
  const t = useReferenceMessages()
  const { parameters, requestBody } = operation
  const places = { path: t('inPath'), query: t('inQuery'), header: t('inHeader') }
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return (
    <>
      {parameters.length === 0 ? null : (
        <>
          <Subheading>{t('parameters')}</Subheading>
          <Table
            label={t('parameters')}
            head={[t('name'), t('typeAndMeaning')]}
            rows={parameters.map(({ name, required, schema, description, example, in: place }) => {
              const known = { ...schema, ...(description !== undefined && { description }) }
              const shown = example === undefined ? known : { ...known, examples: [example] }
              return memberRow(t, { row: { name, isRequired: required, schema: shown }, place: places[place] })
            })}
          />
        </>
      )}
      {media ? (
        <>
          <Subheading>{t('body')}</Subheading>
          {type === 'application/x-www-form-urlencoded' ? <p className="mb-2 text-13 text-muted">{t('form')}</p> : null}
          {requestBody?.required ? null : <p className="mb-2 text-13 text-muted">{t('bodyOptional')}</p>}
          <Members schema={media.schema} label={t('body')} />
        </>
      ) : null}
    </>
  )
}

function Success({ call: { operation } }: { readonly call: Call }) {
  const t = useReferenceMessages()
  const { document } = useReference()
  const found = Object.entries(operation.responses).find(([status]) => Number(status) < 400)
  if (!found) return null
  const redirects = operation.responses['302']
  const { headers = {}, content = {} } = responseOf(document, found[1])
  const media = content['application/json']
  return (
    <>
      {media ? (
        <>
          <Subheading>
            {t('response')} <span className="font-mono text-12 font-normal text-muted">{found[0]}</span>
          </Subheading>
          {content['text/html'] ? <p className="mb-2 text-13 text-muted">{t('pageResponse')}</p> : null}
          <Members schema={media.schema} label={t('response')} isResponse />
        </>
      ) : null}
      {redirects?.description === undefined ? null : (
        <>
          <Subheading>
            {t('redirect')} <span className="font-mono text-12 font-normal text-muted">302</span>
          </Subheading>
          <Prose text={redirects.description} />
        </>
      )}
      {Object.keys(headers).length === 0 ? null : (
        <>
          <Subheading>{t('headers')}</Subheading>
          <Table
            label={t('headers')}
            head={[t('name'), t('meaning')]}
            rows={Object.entries(headers).map(([name, { description = '' }]) => ({
              key: name,
              first: <code className="font-mono">{name}</code>,
              second: <Prose text={description} />,
            }))}
          />
        </>
      )}
    </>
  )
}

function Errors({ call: { operation } }: { readonly call: Call }) {
  const t = useReferenceMessages()
  const { document, base, sharedCodes } = useReference()
  const { own, shared } = errorsOfCall(document, operation, sharedCodes)
  return (
    <>
      <Subheading>{t('errors')}</Subheading>
      {own.length === 0 ? null : <ErrorTable rows={own} label={t('errors')} />}
      {shared.length === 0 ? null : (
        <p className="mt-2 text-13 text-muted">
          <a href={`${base}#errors`} className="underline underline-offset-3">
            {t('alsoErrors')}
          </a>
          {': '}
          <span lang="en" className="font-mono text-12 wrap-anywhere">
            {shared.map(({ status, code }) => `${status} ${code}`).join(', ')}
          </span>
        </p>
      )}
    </>
  )
}

interface ErrorTableProps {
  readonly rows: readonly { readonly status: string; readonly code: string; readonly message: string }[]
  readonly label: string
}

export function ErrorTable({ rows, label }: ErrorTableProps) {
  const t = useReferenceMessages()
  return (
    <Table
      label={label}
      head={[t('errorCode'), t('meaning')]}
      rows={rows.map(({ status, code, message }) => ({
        key: `${status} ${code}`,
        first: (
          <code className="font-mono text-12">
            <span className="text-muted">{status}</span> {code}
          </code>
        ),
        second: <span lang="en">{message}</span>,
      }))}
    />
  )
}

const panelLook = 'overflow-hidden rounded-card border border-border bg-surface'
const headLook = 'flex min-h-10 flex-wrap items-center gap-1 border-b border-border bg-sunken px-3 py-1'
const codeLook = 'p-4 font-mono text-12 leading-5 whitespace-pre-wrap wrap-anywhere'

function Snippets({ id, sent }: { readonly id: string; readonly sent: Sent }) {
  const t = useReferenceMessages()
  return (
    <div className={`code ${panelLook}`}>
      <fieldset className={headLook}>
        <legend className="sr-only">{t('codeLanguage')}</legend>
        {Object.entries(languages).map(([language, name], at) => (
          <label
            key={language}
            translate="no"
            className="inline-flex min-h-(--target) cursor-pointer items-center rounded-control px-2 text-13 font-medium text-muted hover:text-text has-checked:bg-fill has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input type="radio" name={`code-${id}`} value={language} defaultChecked={at === 0} className="sr-only" />
            {name}
          </label>
        ))}
        <button
          type="button"
          data-copy-code
          className={`${buttonLook({ variant: 'ghost' })} ms-auto [@media(scripting:none)]:hidden`}
        >
          {t('copyCode')}
        </button>
      </fieldset>
      {snippetsOf(sent).map(([language, code]) => (
        <pre key={language} lang="en" data-code={language} className={codeLook}>
          {code}
        </pre>
      ))}
    </div>
  )
}

function ExampleResponse({ call: { operation } }: { readonly call: Call }) {
  const t = useReferenceMessages()
  const example = operation.responses['200']?.content?.['application/json']?.example
  if (example === undefined) return null
  return (
    <figure className={panelLook}>
      <figcaption className={`${headLook} text-13 font-medium text-muted`}>{t('exampleResponse')}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <pre lang="en" tabIndex={0} className={`${codeLook} max-h-96 overflow-auto`}>
        {JSON.stringify(example, null, 2)}
      </pre>
    </figure>
  )
}
