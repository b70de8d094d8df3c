/** What a folder of screens declares; `features/index.ts` lists the folders, and routes and navigation follow from them. */
import type { LucideIcon } from 'lucide-react'
import { type ComponentType, createContext } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import type { Catalogue } from '../i18n/messages.ts'

/** An entry in the navigation of the account area, or of administration. */
export interface NavigationEntry {
  readonly icon: LucideIcon
  /** Within the group, the lowest first. */
  readonly order: number
  /** `account`, `data`: of the account area; the others: of administration. */
  readonly group: 'account' | 'data' | 'main' | 'security' | 'system'
  /** What a role must permit for the entry to appear; the calls of the screen check it themselves. */
  readonly permission?: readonly [resource: string, action: string]
  /** After the title: what waits there. */
  readonly notice?: ComponentType
  /** Key of a title: the pages with the same one are tabs, and share one entry with this title, which opens the first of them. */
  readonly tabOf?: string
}

export interface Screen<M> {
  /** Below `dashboard.path`. */
  readonly path: `/${string}`
  /** Key of the title in the catalogue of the folder: of the tab and of the navigation entry. */
  readonly title: keyof M & string
  /**
   * The frame: the account area, an organization (its path names `$organizationId`), administration of the
   * instance (its path starts with `/admin`), a wide page without navigation, or a narrow one for visitors.
   */
  readonly frame: 'account' | 'organization' | 'admin' | 'plain' | 'visitor'
  /** `session`: visitors sign in first, and come back. */
  readonly access: 'anyone' | 'session'
  readonly load: () => Promise<{ readonly Screen: ComponentType }>
  /** Starts to load its data while its code is loaded. Fails only when the screen cannot be shown without the data. */
  readonly preload?: (locale: string, settings: PublicSettings) => Promise<unknown>
  /** Absent: the screen always exists. */
  readonly exists?: (settings: PublicSettings) => boolean
  /** The path of the page that is opened in place of this one; null: this one. */
  readonly leadsTo?: (settings: PublicSettings) => string | null
  readonly navigation?: NavigationEntry
}

interface AreaProps {
  /** Closes what contains the navigation. */
  readonly onChoose?: (() => void) | undefined
}

/** Pages with a navigation of their own, about one thing of many, such as an organization. */
export interface Area {
  readonly Frame: ComponentType
  readonly Navigation: ComponentType<AreaProps & { readonly id: string }>
  /** In place of the way between account and administration. */
  readonly Switcher: ComponentType<AreaProps>
}

/** The screens of a feature with their messages. */
export interface ScreenFolder<M = never> {
  readonly messages: Catalogue<M>
  readonly screens: readonly Screen<M>[]
  /** Of the screens whose frame is `organization`. */
  readonly area?: () => Promise<Area>
}

/** All folders: the frame shows what they declare, and knows none of them. */
export const FoldersContext = createContext<readonly ScreenFolder[]>([])

/** Keeps the keys of the messages in the type while the folder is declared. */
export const screenFolder = <M>(folder: ScreenFolder<M>): ScreenFolder => folder as unknown as ScreenFolder
