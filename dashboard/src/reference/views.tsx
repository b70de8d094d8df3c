/** The contents of the pages: the overview, a group of calls, and the objects that calls share. */
import { linkLook } from '../components/look.ts'
import { CallSection, ErrorTable } from './call.tsx'
import type { Group } from './document.ts'
import { useReferenceMessages } from './messages.ts'
import { Code, Heading, Members, Prose } from './parts.tsx'
import { useReference } from './site.ts'

const sectionLook = 'border-t border-border py-8'

const Title = ({ children, lang }: { readonly children: string; readonly lang?: string }) => (
  <h1 lang={lang} className="text-24 tracking-[-0.018em] wrap-anywhere">
    {children}
  </h1>
)

export function Overview() {
  const t = useReferenceMessages()
  const { document, groups, base, shared } = useReference()
  const { info, servers, components } = document
  return (
    <>
      <Title>{t('apiReference')}</Title>
      <Prose text={info.description} className="mt-1 mb-8 text-16 text-muted" />
      <section id="base-url" className={sectionLook}>
        <Heading id="base-url" title={t('baseURL')} />
        <p className="mt-2">{t('baseURLText')}</p>
        <p className="mt-2">
          <Code>{servers[0]?.url}</Code>
        </p>
      </section>
      <section id="calls-by-area" className={sectionLook}>
        <Heading id="calls-by-area" title={t('calls')} />
        <dl lang="en" className="mt-4 grid gap-x-8 gap-y-4 card:grid-cols-2">
          {groups.map(({ name, title, description, calls }) => (
            <div key={name}>
              <dt>
                <a href={`${base}/${name}`} className={`${linkLook()} font-semibold`}>
                  {title}
                </a>{' '}
                <span className="text-13 text-muted tabular-nums">{calls.length}</span>
              </dt>
              <dd className="text-13 text-muted">{description}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section id="credentials" className={sectionLook}>
        <Heading id="credentials" title={t('credentials')} />
        <p className="mt-2 max-w-prose">{t('credentialsText')}</p>
        <dl lang="en" className="mt-4 max-w-prose space-y-3">
          {Object.entries(components.securitySchemes).map(([key, scheme]) => (
            <div key={key}>
              <dt>
                <Code>{scheme.type === 'http' ? 'authorization: Bearer …' : `${scheme.in} ${scheme.name}`}</Code>
              </dt>
              <dd className="mt-0.5">{scheme.description}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section id="errors" className={sectionLook}>
        <Heading id="errors" title={t('errors')} />
        <p className="mt-2 mb-4 max-w-prose">{t('sharedErrorsText')}</p>
        <ErrorTable rows={shared} label={t('errors')} />
      </section>
    </>
  )
}

export const GroupView = ({ group: { title, description, calls } }: { readonly group: Group }) => (
  <>
    <Title lang="en">{title}</Title>
    <Prose text={description} className="mt-1 mb-8 text-16 text-muted" />
    {calls.map((call) => (
      <CallSection key={call.operation.operationId} call={call} />
    ))}
  </>
)

export function Objects() {
  const t = useReferenceMessages()
  const { document } = useReference()
  return (
    <>
      <Title>{t('objects')}</Title>
      <p className="mt-1 mb-8 text-16 text-muted">{t('objectsText')}</p>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <section key={name} id={name} className="max-w-192 border-t border-border pt-8 pb-10">
          <Heading id={name} title={name} lang="en" />
          <div className="mt-4">
            <Members schema={schema} label={t('membersOf', { name })} isResponse />
          </div>
        </section>
      ))}
    </>
  )
}
