/** What happens to people and sessions, whoever caused it; features listen by exporting `on`. */
import type { App } from './app.ts'
import type { SessionRow, UserRow } from './request.ts'

/** The events and what they tell. Listeners run in list order, inside the transaction of whatever caused them. */
export interface Events {
  'user.created': { readonly user: UserRow }
  /** Name, address, role or any other column was written. */
  'user.updated': {
    readonly userId: string
    /** Whether what he may do has changed, such as his role, and not only how he is shown. */
    readonly affectsAccess: boolean
  }
  'user.deleted': { readonly userId: string }
  'session.created': { readonly session: SessionRow; readonly user: UserRow }
  /** These sessions exist no longer. */
  'sessions.revoked': { readonly userId: string; readonly sessionIds: readonly string[] }
  /** A new password is in force; `isOwn` unless somebody else has set it. */
  'password.changed': { readonly userId: string; readonly isOwn: boolean }
}

export type Listeners = { readonly [E in keyof Events]?: (app: App, event: Events[E]) => Promise<void> | void }

/** Tells every enabled feature, in list order. @throws whatever a listener throws, which undoes the transaction */
export async function emit<E extends keyof Events>(app: App, name: E, event: Events[E]): Promise<void> {
  for (const { on } of app.features) await on?.[name]?.(app, event)
}
