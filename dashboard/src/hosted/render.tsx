/** What the worker loads: renders the hosted pages under one configuration. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { FoundPage, HostedModule, HostedPages, PageRequest, Site } from '../../../src/core/hosted.ts'
import { formatOf } from '../i18n/format.ts'
import { LocaleContext, languageOf, loadEvery } from '../i18n/messages.ts'
import { withOwnTexts } from '../i18n/own-texts.ts'
import { frameMessages, useFrameMessages } from '../messages/index.ts'
import type { Files } from './files.ts'
import { Content, Document, Support } from './layout.tsx'
import { ButtonLink } from './link.tsx'
import { type HostedPage, hostedPage, PageProvider } from './page.ts'
import { pages } from './pages.ts'

/** At any path without a page. */
const notFound: HostedPage = hostedPage({
  path: '/',
  messages: frameMessages,
  title: 'notFound',
  access: 'anyone',
  View: NotFound,
})

function NotFound() {
  const t = useFrameMessages()
  return (
    <Content title={t('notFound')} lead={t('notFoundText')}>
      <ButtonLink to="/">{t('goToStart')}</ButtonLink>
      <Support />
    </Content>
  )
}

export { createReferencePages } from '../reference/render.tsx'

/** By the build: paths of files below that of the pages. */
declare const builtFiles: Files

export const declaredPages: HostedModule['declaredPages'] = pages.map(({ path, access }) => ({ path, access }))

export async function createHostedPages(site: Site): Promise<HostedPages> {
  const files = Object.fromEntries(
    Object.entries(builtFiles).map(([name, path]) => [name, `${site.base}${path}`]),
  ) as unknown as Files
  const { settings } = site
  const known = new Map(pages.filter(({ exists }) => exists?.(settings) ?? true).map((page) => [page.path as string, page]))
  await Promise.all(['en', ...settings.locales].map(loadEvery))
  const found = new Map([...known].map(([path, page]) => [path, traitsOf(page, site)]))
  const formOf = (path: string, call: string) => known.get(path)?.forms?.find((each) => each.call === call)
  return {
    paths: [...known.keys()],
    find: (path) => found.get(path) ?? null,
    pageOf: (call) => [...known.values()].find(({ forms }) => forms?.some((form) => form.call === call))?.path ?? null,
    render: (request) => withOwnTexts(site.texts, () => render(site, files, known.get(request.path) ?? notFound, request)),
    callOf: (path, call, values) => formOf(path, call)?.becomes?.(values, settings) ?? { call, values },
    methodOf: (path, call, values) => formOf(path, call)?.method?.(values) ?? null,
    next: (request, call, { values, result, failure }) => {
      const form = formOf(request.path, call)
      if (!form) return null
      return failure
        ? (form.onError?.(failure.code, request, values, settings) ?? null)
        : form.next(result as never, request, values, settings)
    },
  }
}

const traitsOf = ({ access, leadsTo, keeps = [], read, onFailure, onRead }: HostedPage, site: Site): FoundPage => ({
  access,
  leadsTo: leadsTo?.(site.settings) ?? null,
  keeps,
  read: read ?? null,
  onFailure: onFailure ?? null,
  onRead: onRead ? (request) => onRead(request, site) : null,
})

function render(site: Site, files: Files, { messages, title, forms = [], View }: HostedPage, page: PageRequest): string {
  const { locale } = page
  const context = { locale, format: formatOf(languageOf(locale)), setLocale: () => undefined }
  const markup = renderToStaticMarkup(
    <LocaleContext value={context}>
      <PageProvider value={{ site, page, forms, files }}>
        <Document title={messages.translate(locale)(title as never)}>
          <View />
        </Document>
      </PageProvider>
    </LocaleContext>,
  )
  return `<!doctype html>${markup.replaceAll(iconNames, '$1')}`
}

/** What lucide adds to its icons, and HTML does not need. Texts have no quotation marks that are not escaped. */
const iconNames = / xmlns="http:\/\/www\.w3\.org\/2000\/svg"|( class=")lucide(?: lucide-[\w-]+)* ?/g
