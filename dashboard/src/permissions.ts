/** What the roles of the current user permit in administration, and which of its pages they may open. */
import { useQuery } from '@tanstack/react-query'
import type { PublicSettings } from '../../src/features/index.ts'
import { useSettings } from './api.ts'
import { folders } from './features/index.ts'
import { useLocale } from './i18n/messages.ts'
import type { NavigationEntry, Screen } from './screens.ts'
import { permissionsQuery } from './session.ts'

export type IsPermitted = (resource: string, action: string) => boolean

/** Whether one of the roles of the current user permits an action. While that is not known, nothing is permitted. */
export function useIsPermitted(): IsPermitted {
  const { data = [] } = useQuery(permissionsQuery)
  return (resource, action) => data.some((role) => role[resource]?.includes(action))
}

interface Entry {
  readonly path: string
  readonly isLoaded: (locale: string) => boolean
  /** Loads the messages of the page. */
  readonly load: (locale: string) => Promise<void>
  /** @throws Error when the messages of the page are not loaded */
  readonly label: (locale: string) => string
  readonly navigation: NavigationEntry
}

function entriesOf(frame: Screen<never>['frame'], settings: PublicSettings, isPermitted: IsPermitted): readonly Entry[] {
  const isShown = ({ exists, navigation }: Screen<never>) =>
    (exists?.(settings) ?? true) && (!navigation?.permission || isPermitted(...navigation.permission))
  return folders.flatMap(({ messages, screens }) =>
    screens
      .filter((screen) => screen.frame === frame && isShown(screen))
      .flatMap(({ path, title, navigation }) => {
        const { isLoaded, load, translate } = messages
        return navigation ? [{ path, isLoaded, load, label: (locale: string) => translate(locale)(title), navigation }] : []
      }),
  )
}

/** The pages in the navigation of this frame that exist and that the current user may open. Their messages may not be loaded. */
export const useEntries = (frame: 'account' | 'admin'): readonly Entry[] => entriesOf(frame, useSettings(), useIsPermitted())

/** Those whose titles can be shown; loads the messages of the others, and then returns these too. */
export function useTitledEntries(frame: 'account' | 'admin'): readonly Entry[] {
  const { locale } = useLocale()
  const entries = useEntries(frame)
  const isLoaded = (entry: Entry) => entry.isLoaded(locale)
  const missing = entries.filter((entry) => !isLoaded(entry))
  useQuery({
    queryKey: ['titles', locale, missing.map(({ path }) => path)],
    queryFn: () => Promise.all(missing.map(({ load }) => load(locale))),
    enabled: missing.length > 0,
  })
  return entries.filter(isLoaded)
}
