/** What a folder of screens declares; `features/index.ts` lists the folders, and routes and navigation follow from them. */
import type { ComponentType } from 'react'
import type { PublicSettings } from '../../src/features/index.ts'
import type { EntryIcon } from './frame/navigation-entry.ts'
import type { Catalogue } from './i18n/messages.ts'

/** An entry in the navigation of the account area, or of administration. */
export interface NavigationEntry {
  /** Its name: the sign-in page loads this declaration, but not the icon. Entries stand in the order of `entryIcons`. */
  readonly icon: EntryIcon
  /** `account`, `data`: of the account area; the others: of administration. */
  readonly group: 'account' | 'data' | 'main' | 'security' | 'system'
  /** What a role must permit for the entry to appear; the calls of the screen check it themselves. */
  readonly permission?: readonly [resource: string, action: string]
  /** After the title: what waits there. */
  readonly notice?: 'invitations'
}

export interface Screen<M> {
  /** Below `dashboard.path`. */
  readonly path: `/${string}`
  /** Key of the title in the catalogue of the folder: of the tab and of the navigation entry. */
  readonly title: keyof M & string
  /**
   * The frame: a narrow column for visitors, the account area, an organization (its path names `$organizationId`), administration of the
   * instance (its path starts with `/admin`), or a wide page without navigation.
   */
  readonly frame: 'hosted' | 'account' | 'organization' | 'admin' | 'plain'
  /** `session`: visitors sign in first, and come back. `optional-session`: it is read while the code loads; null if that fails. */
  readonly access: 'anyone' | 'optional-session' | 'session'
  readonly load: () => Promise<{ readonly Screen: ComponentType }>
  /** Starts to load its data while its code is loaded. Fails only when the screen cannot be shown without the data. */
  readonly preload?: (locale: string, settings: PublicSettings) => Promise<unknown>
  /** Absent: the screen always exists. */
  readonly exists?: (settings: PublicSettings) => boolean
  /** The path of the page that is opened in place of this one; null: this one. */
  readonly leadsTo?: (settings: PublicSettings) => string | null
  readonly navigation?: NavigationEntry
}

/** The screens of a feature with their messages. */
export interface ScreenFolder<M = never> {
  readonly messages: Catalogue<M>
  readonly screens: readonly Screen<M>[]
}

/** Keeps the keys of the messages in the type while the folder is declared. */
export const screenFolder = <M>(folder: ScreenFolder<M>): ScreenFolder => folder as unknown as ScreenFolder
