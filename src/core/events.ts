/** Events of features. A feature declares its events in `events`; others listen in `on`. */
import type { Events } from '../features/index.ts'
import type { App } from './app.ts'

declare const types: unique symbol
/** An event as declared. `Payload` and `Columns` exist for the compiler only. */
export interface EventType<Payload = unknown, Columns = unknown> {
  readonly [types]?: { readonly payload: Payload; readonly columns: Columns }
}

/** Declares an event. `Columns`: the values that listeners may return, such as columns of a row to insert; default: none. */
export const event = <Payload, Columns extends object = Record<never, unknown>>(): EventType<Payload, Columns> => ({})

type EventName = keyof Events
type Payload<E extends EventName> = Events[E] extends EventType<infer P, unknown> ? P : never
type Columns<E extends EventName> = Events[E] extends EventType<unknown, infer C> ? C : never

/** Listeners run in the order of the feature list, in the transaction of the code that emits the event. */
export type Listeners = {
  readonly [E in EventName]?: Listener<Payload<E>, Columns<E>>
}
// biome-ignore lint/suspicious/noConfusingVoidType: a listener may return columns or nothing
type Listener<P, C> = (app: App, event: P) => Promise<C | void> | C | void

/** Whether an enabled feature listens; if none does, what emits the event may be a single statement without a transaction. */
export const hasListener = (app: App, name: EventName): boolean => app.features.some(({ on }) => on?.[name])

/**
 * Calls the listeners of every enabled feature, in list order.
 * @returns the columns that they returned, merged; later features win
 * @throws whatever a listener throws, which rolls back the transaction
 */
export async function emit<E extends EventName>(app: App, name: E, payload: Payload<E>): Promise<Partial<Columns<E>>> {
  const columns = {}
  // Most features do not listen, and each `await` would cost a turn of the event loop's queue.
  const listening = app.features.filter(({ on }) => on?.[name])
  for (const { on } of listening) {
    const listener: ((app: App, event: Payload<E>) => unknown) | undefined = on?.[name]
    if (listener) Object.assign(columns, await listener(app, payload))
  }
  return columns
}
