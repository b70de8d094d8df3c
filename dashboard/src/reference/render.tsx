/** Renders the pages of the API reference from the OpenAPI document: one for each group of calls. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { ReferencePages, ReferenceSite } from '../../../src/core/hosted.ts'
import { formatOf } from '../i18n/format.ts'
import { LocaleContext, languageOf } from '../i18n/messages.ts'
import { frameMessages } from '../messages/index.ts'
import { groupsOf, type OpenAPI, sharedErrors } from './document.ts'
import { messages } from './messages.ts'
import { Document } from './page.tsx'
import { objectsName, overviewName, type Reference, ReferenceProvider } from './site.ts'
import { GroupView, Objects, Overview } from './views.tsx'

/** By the build: the names of files of the pages. */
declare const builtReference: Reference['files']

export async function createReferencePages(site: ReferenceSite): Promise<ReferencePages> {
  const document = site.document as OpenAPI
  const files = Object.fromEntries(
    Object.entries(builtReference).map(([kind, name]) => [kind, `${site.base}/${name}`]),
  ) as unknown as Reference['files']
  const shared = sharedErrors(document)
  const known = {
    ...site,
    document,
    files,
    shared,
    groups: groupsOf(document),
    sharedCodes: new Set(shared.map(({ code }) => code)),
  }
  await Promise.all(['en', ...site.settings.locales].flatMap((locale) => [messages.load(locale), frameMessages.load(locale)]))
  return {
    names: new Set([overviewName, objectsName, ...known.groups.map(({ name }) => name)]),
    files: Object.values(builtReference),
    render: (request) => render({ ...known, request }),
  }
}

function viewOf({ groups, request: { name, locale } }: Reference) {
  const t = messages.translate(locale)
  const group = groups.find((each) => each.name === name)
  if (group) return { title: `${group.title} · ${t('apiReference')}`, view: <GroupView group={group} /> }
  if (name === objectsName) return { title: `${t('objects')} · ${t('apiReference')}`, view: <Objects /> }
  return { title: t('apiReference'), view: <Overview /> }
}

function render(reference: Reference): string {
  const { locale } = reference.request
  const context = { locale, format: formatOf(languageOf(locale)), setLocale: () => undefined }
  const { title, view } = viewOf(reference)
  const markup = renderToStaticMarkup(
    <LocaleContext value={context}>
      <ReferenceProvider value={reference}>
        <Document title={title}>{view}</Document>
      </ReferenceProvider>
    </LocaleContext>,
  )
  return `<!doctype html>${markup}`
}
