/** The routes of all screens, from the declarations of their folders; most of these are loaded when a page needs them. */
import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { basePath, pageURL, queryClient, sessionQuery, settingsQuery } from './api.ts'
import { Skeleton } from './components/feedback.tsx'
import { hostedFolders } from './features/hosted.ts'
import { HostedFrame } from './frame/hosted-frame.tsx'
import { LoadFailed, NotFound, Root } from './frame/root.tsx'
import type { Catalogue } from './i18n/messages.ts'
import { loadAdminErrors } from './messages.ts'
import type { Screen, ScreenFolder } from './screens.ts'
import { permissionsQuery } from './session.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The title of the tab. Its messages are loaded. */
    readonly title?: (locale: string) => string
  }
}

/** @param locale the one in use: the messages of a folder are loaded before its screens */
export function createAppRouter(locale: () => string) {
  const root = createRootRoute({
    component: Root,
    notFoundComponent: NotFoundPage,
  })
  const hosted = createRoute({ getParentRoute: () => root, id: 'hosted', component: HostedFrame })
  const accountFrame = lazyComponent(() => import('./frame/account-frame.tsx').then(({ AccountFrame }) => AccountFrame))
  const account = createRoute({
    getParentRoute: () => root,
    id: 'account',
    beforeLoad: ({ location }) => requireSession(location.href),
    loader: () => Promise.all([importFolders().then(withNavigation('account')).then(loadMessages), accountFrame.load()]),
    component: accountFrame.component,
  })
  const organizationFrame = lazyComponent(() =>
    import('./frame/organization-frame.tsx').then(({ OrganizationFrame }) => OrganizationFrame),
  )
  const organization = createRoute({
    getParentRoute: () => account,
    id: 'organization',
    loader: organizationFrame.load,
    component: organizationFrame.component,
  })
  const adminFrame = lazyComponent(() => import('./frame/admin-frame.tsx').then(({ AdminFrame }) => AdminFrame))
  const admin = createRoute({
    getParentRoute: () => account,
    id: 'admin',
    loader: () =>
      Promise.all([
        importFolders().then(withNavigation('admin')).then(loadMessages),
        loadAdminErrors(locale()),
        queryClient.prefetchQuery(permissionsQuery),
        adminFrame.load(),
      ]),
    component: adminFrame.component,
    // In the area, with its navigation.
    notFoundComponent: NotFound,
  })
  const plainFrame = lazyComponent(() => import('./frame/plain-frame.tsx').then(({ PlainFrame }) => PlainFrame))
  const plain = createRoute({
    getParentRoute: () => root,
    id: 'plain',
    loader: plainFrame.load,
    component: plainFrame.component,
    notFoundComponent: NotFoundPage,
  })
  const frames = { hosted, account, organization, admin, plain }

  const loadMessages = (used: readonly ScreenFolder[]) => Promise.all(used.map(({ messages }) => messages.load(locale())))

  const routeOf = ({ messages }: ScreenFolder, { path, title, frame, access, load, preload, exists, leadsTo }: Screen<never>) => {
    const screen = lazyComponent(() => load().then(({ Screen }) => Screen))
    return createRoute({
      getParentRoute: () => frames[frame] as typeof hosted,
      path,
      staticData: { title: (chosen) => titleOf(messages, chosen, title as never) },
      beforeLoad: async ({ location }) => {
        const target = leadsTo?.(await queryClient.ensureQueryData(settingsQuery))
        if (target) throw redirect({ to: target as string, replace: true })
        if (access === 'session' && frame === 'hosted') await requireSession(location.href)
      },
      loader: async () => {
        const settings = await queryClient.ensureQueryData(settingsQuery)
        if (!(exists?.(settings) ?? true)) throw notFound()
        await Promise.all([
          messages.load(locale()),
          screen.load(),
          preload?.(locale(), settings),
          access === 'optional-session' && preloadSession(),
        ])
      },
      component: screen.component,
      // Only developers see the plain frame.
      ...(frame !== 'plain' && { notFoundComponent: NotFound }),
    })
  }

  const children: Record<Screen<never>['frame'], ReturnType<typeof routeOf>[]> = {
    hosted: [],
    account: [],
    organization: [],
    admin: [],
    plain: [],
  }
  const addScreens = (folders: readonly ScreenFolder[]) => {
    for (const folder of folders) for (const screen of folder.screens) children[screen.frame].push(routeOf(folder, screen))
    return root.addChildren([
      hosted.addChildren(children.hosted),
      account.addChildren([
        ...children.account,
        organization.addChildren(children.organization),
        admin.addChildren(children.admin),
      ]),
      plain.addChildren(children.plain),
      otherPath,
    ])
  }

  let isComplete = false
  /** Any path of a screen that is not declared yet, or of none. */
  const otherPath = createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: async ({ location }) => {
      if (isComplete) throw notFound()
      const folders = await importFolders()
      // The same path may be preloaded and opened at the same time.
      if (!isComplete) {
        isComplete = true
        addScreens(folders.filter((folder) => !hostedFolders.includes(folder)))
        router.setRoutes(router.buildRouteTree())
      }
      throw redirect({ href: location.publicHref, state: true, replace: true })
    },
    notFoundComponent: NotFoundPage,
  })
  const router = createRouter({
    routeTree: addScreens(hostedFolders),
    basepath: basePath,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: () => <Skeleton />,
    defaultErrorComponent: LoadFailed,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    // Tokens and addresses are texts, also when they look like numbers or JSON.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(search)) if (value !== undefined) parameters.set(name, String(value))
      const text = parameters.toString()
      return text ? `?${text}` : ''
    },
  })
  // Loaded at the same time as the settings. When that fails, the route tries again.
  if (router.getMatchedRoutes(router.latestLocation.pathname)[2] === otherPath) importFolders().catch(() => undefined)
  return router
}

const importFolders = () => import('./features/index.ts').then(({ folders }) => folders)

const withNavigation = (frame: Screen<never>['frame']) => (folders: readonly ScreenFolder[]) =>
  folders.filter(({ screens }) => screens.some((screen) => screen.navigation && screen.frame === frame))

const NotFoundPage = () => (
  <HostedFrame>
    <NotFound />
  </HostedFrame>
)

/** A component whose code the loader of its route loads: when that fails, the page says so and can try again. */
function lazyComponent(load: () => Promise<ComponentType>) {
  let Loaded: ComponentType | null = null
  return {
    load: async () => {
      Loaded = await load()
    },
    component: () => (Loaded ? <Loaded /> : null),
  }
}

function titleOf(messages: Catalogue<never>, locale: string, key: never): string {
  try {
    return messages.translate(locale)(key)
  } catch {
    return ''
  }
}

/** Without a session, and when it cannot be read, the page is the same. */
const preloadSession = () => queryClient.prefetchQuery({ ...sessionQuery, retry: false })

/** Visitors sign in first and come back. */
async function requireSession(href: string): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  if (!session) throw redirect({ to: '/sign-in', search: { callbackURL: pageURL(href) } as never })
}
