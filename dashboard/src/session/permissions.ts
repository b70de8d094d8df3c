/** What the roles of the current user permit in administration, and which of its pages they may open. */
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import { useSettings } from '../api/calls.ts'
import { useLocale } from '../i18n/messages.ts'
import { FoldersContext, type NavigationEntry, type Screen, type ScreenFolder } from '../routes/screens.ts'
import { permissionsQuery } from './session.ts'

export type IsPermitted = (resource: string, action: string) => boolean

/** Whether one of the roles of the current user permits an action. While that is not known, nothing is permitted. */
export function useIsPermitted(): IsPermitted {
  const { data = [] } = useQuery(permissionsQuery)
  return (resource, action) => data.some((role) => role[resource]?.includes(action))
}

/** A page that the navigation shows, or a tab of one. */
export interface Entry {
  readonly path: string
  readonly isLoaded: (locale: string) => boolean
  /** Loads the messages of the page. */
  readonly load: (locale: string) => Promise<void>
  /** @throws Error when the messages of the page are not loaded */
  readonly label: (locale: string) => string
  /** The title of the entry that it shares with others. */
  readonly entryLabel: (locale: string) => string
  readonly navigation: NavigationEntry
}

/** The groups of the navigation of each frame, in their order. */
export const entryGroups = { account: ['account', 'data'], admin: ['main', 'security', 'system'] } as const

type Frame = keyof typeof entryGroups

function entriesOf(
  folders: readonly ScreenFolder[],
  frame: Frame,
  settings: PublicSettings,
  isPermitted: IsPermitted,
): readonly Entry[] {
  const groups: readonly string[] = entryGroups[frame]
  const isShown = ({ exists, navigation }: Screen<never>) =>
    (exists?.(settings) ?? true) && (!navigation?.permission || isPermitted(...navigation.permission))
  const entries = folders.flatMap(({ messages, screens }) =>
    screens
      .filter((screen) => screen.frame === frame && isShown(screen))
      .flatMap(({ path, title, navigation }) => {
        const { isLoaded, load, translate } = messages
        if (!navigation) return []
        const titled = (key: string) => (locale: string) => translate(locale)(key as never)
        return [{ path, isLoaded, load, label: titled(title), entryLabel: titled(navigation.tabOf ?? title), navigation }]
      }),
  )
  return entries.sort(
    ({ navigation: one }, { navigation: other }) =>
      groups.indexOf(one.group) - groups.indexOf(other.group) || one.order - other.order,
  )
}

/** The pages in the navigation of this frame that exist and that the current user may open, in their order. Their messages may not be loaded. */
export const useEntries = (frame: Frame): readonly Entry[] =>
  entriesOf(useContext(FoldersContext), frame, useSettings(), useIsPermitted())

/** Those whose titles can be shown; loads the messages of the others, and then returns these too. */
export function useTitledEntries(frame: Frame): readonly Entry[] {
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
