/** The routes of all screens, from the declarations of their folders; most of these are loaded when a page needs them. */
import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { basePath, pageURL, queryClient, sessionQuery, settingsQuery } from '../api/calls.ts'
import { Skeleton } from '../components/feedback.tsx'
import { folders } from '../features/index.ts'
import { signInAgainMethods } from '../features/sign-in-again.ts'
import { LoadFailed, NotFound, Root } from '../frame/root.tsx'
import type { Catalogue } from '../i18n/messages.ts'
import { loadAdminErrors } from '../messages/index.ts'
import { permissionsQuery } from '../session/session.ts'
import { FoldersContext, type Screen, type ScreenFolder } from './screens.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The title of the tab. Its messages are loaded. */
    readonly title?: (locale: string) => string
  }
}

type Load = (used: readonly ScreenFolder[]) => Promise<unknown>
type Locale = () => string

const createRoot = () =>
  createRootRoute({
    component: () => (
      <FoldersContext value={folders}>
        <Root signInAgainMethods={signInAgainMethods} />
      </FoldersContext>
    ),
    notFoundComponent: NotFound,
  })

/** The frame of every page of a signed-in user, with the navigation and the switcher of organizations when there are any. */
function createAccountRoute(root: ReturnType<typeof createRoot>, loadMessages: Load) {
  const frame = lazyValue(() => import('../frame/account-frame.tsx'))
  const area = lazyValue(async () => {
    const { organization } = await queryClient.ensureQueryData(settingsQuery)
    return organization ? ((await folders.find((folder) => folder.area)?.area?.()) ?? null) : null
  })
  const account = createRoute({
    getParentRoute: () => root,
    id: 'account',
    beforeLoad: ({ location }) => requireSession(location.href),
    loader: () => Promise.all([loadMessages(withNavigation('account')), frame.load(), area.load()]),
    component: () => {
      const { AccountFrame } = frame.current() ?? {}
      return AccountFrame ? <AccountFrame area={area.current()} /> : null
    },
  })
  const organization = createRoute({
    getParentRoute: () => account,
    id: 'organization',
    component: () => {
      const { Frame } = area.current() ?? {}
      return Frame ? <Frame /> : null
    },
  })
  return { account, organization }
}

function createFrames(root: ReturnType<typeof createRoot>, locale: Locale) {
  const loadMessages: Load = (used) => Promise.all(used.map(({ messages }) => messages.load(locale())))
  const { account, organization } = createAccountRoute(root, loadMessages)
  const adminFrame = lazyComponent(() => import('../frame/admin-frame.tsx').then(({ AdminFrame }) => AdminFrame))
  const admin = createRoute({
    getParentRoute: () => account,
    id: 'admin',
    loader: () =>
      Promise.all([
        loadMessages(withNavigation('admin')),
        loadAdminErrors(locale()),
        queryClient.prefetchQuery(permissionsQuery),
        adminFrame.load(),
      ]),
    component: adminFrame.component,
    // In the area, with its navigation.
    notFoundComponent: NotFound,
  })
  const plainFrame = lazyComponent(() => import('../frame/plain-frame.tsx').then(({ PlainFrame }) => PlainFrame))
  const plain = createRoute({
    getParentRoute: () => root,
    id: 'plain',
    loader: plainFrame.load,
    component: plainFrame.component,
    notFoundComponent: NotFound,
  })
  const visitorFrame = lazyComponent(() => import('../frame/visitor-frame.tsx').then(({ VisitorFrame }) => VisitorFrame))
  const visitor = createRoute({
    getParentRoute: () => root,
    id: 'visitor',
    loader: visitorFrame.load,
    component: visitorFrame.component,
  })
  return { account, organization, admin, plain, visitor }
}

type Frames = ReturnType<typeof createFrames>
type FrameName = keyof Frames

function createScreenRoute(frames: Frames, locale: Locale, { messages }: ScreenFolder, screen: Screen<never>) {
  const { path, title, frame, access, load, preload, exists, leadsTo } = screen
  const loaded = lazyComponent(() => load().then(({ Screen }) => Screen))
  return createRoute({
    getParentRoute: () => frames[frame] as Frames['account'],
    path,
    staticData: { title: (chosen) => titleOf(messages, chosen, title as never) },
    beforeLoad: async ({ location }) => {
      if (access === 'session') await requireSession(location.href)
      const target = leadsTo?.(await queryClient.ensureQueryData(settingsQuery))
      if (target) throw redirect({ to: target as string, replace: true })
    },
    loader: async () => {
      const settings = await queryClient.ensureQueryData(settingsQuery)
      if (!(exists?.(settings) ?? true)) throw notFound()
      await Promise.all([messages.load(locale()), loaded.load(), preload?.(locale(), settings)])
    },
    component: loaded.component,
    // Only developers see the plain frame.
    ...(frame !== 'plain' && { notFoundComponent: NotFound }),
  })
}

/** Tokens and addresses are texts, also when they look like numbers or JSON. */
const search = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values: Readonly<Record<string, unknown>>) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(values)) if (value !== undefined) parameters.set(name, String(value))
    const text = parameters.toString()
    return text ? `?${text}` : ''
  },
}

/** @param locale the one in use: the messages of a folder are loaded before its screens */
export function createAppRouter(locale: Locale) {
  const root = createRoot()
  const frames = createFrames(root, locale)
  const { account, organization, admin, plain, visitor } = frames
  const routesOf = (frame: FrameName) =>
    folders.flatMap((folder) =>
      folder.screens
        .filter((screen) => screen.frame === frame)
        .map((screen) => createScreenRoute(frames, locale, folder, screen)),
    )
  const routeTree = root.addChildren([
    account.addChildren([
      ...routesOf('account'),
      organization.addChildren(routesOf('organization')),
      admin.addChildren(routesOf('admin')),
    ]),
    plain.addChildren(routesOf('plain')),
    visitor.addChildren(routesOf('visitor')),
    createRoute({ getParentRoute: () => root, path: '$', beforeLoad: leave }),
  ])
  return createRouter({
    routeTree,
    basepath: basePath,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: () => (
      <div className="p-6">
        <Skeleton />
      </div>
    ),
    defaultErrorComponent: LoadFailed,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    ...search,
  })
}

/** To a page that the server renders, or that does not exist: the server says which. */
function leave({ location: { publicHref } }: { readonly location: { readonly publicHref: string } }): Promise<never> {
  location.assign(publicHref)
  return new Promise(() => undefined)
}

const withNavigation = (frame: Screen<never>['frame']): readonly ScreenFolder[] =>
  folders.filter(({ screens }) => screens.some((screen) => screen.navigation && screen.frame === frame))

/** What the loader of a route loads. @returns also what is loaded, or null before that */
function lazyValue<T>(load: () => Promise<T>) {
  let loaded: T | null = null
  return {
    load: async () => {
      loaded = await load()
    },
    current: () => loaded,
  }
}

/** A component whose code the loader of its route loads: when that fails, the page says so and can try again. */
function lazyComponent(load: () => Promise<ComponentType>) {
  const value = lazyValue(load)
  return {
    load: value.load,
    component: () => {
      const Loaded = value.current()
      return Loaded ? <Loaded /> : null
    },
  }
}

function titleOf(messages: Catalogue<never>, locale: string, key: never): string {
  try {
    return messages.translate(locale)(key)
  } catch {
    return ''
  }
}

/** Visitors sign in first and come back. */
async function requireSession(href: string): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  if (session) return
  location.replace(pageURL('/sign-in', { callbackURL: pageURL(href) }))
  await new Promise<never>(() => undefined)
}
