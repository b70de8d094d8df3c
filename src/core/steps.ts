/** What a feature does around the calls of other features, and in every worker. */
import type { App } from './app.ts'
import type { Reply } from './reply.ts'
import type { CallContext } from './request.ts'
import type { Route } from './route.ts'

/** Work that each worker repeats in its own process, such as reading what other daemons have changed. */
export interface Poll {
  /** Seconds between the end of a run and the next one. */
  readonly every: number
  readonly run: (app: App) => Promise<void>
}

/** The call before which a step runs. */
export interface DeclaredCall extends Pick<Route, 'declaration'> {
  readonly method: string
}

/**
 * @param sent the input before it is validated; the query is parsed when it is asked for
 * @returns a reply in place of the call; undefined: the call goes on
 */
export type BeforeStep = (
  ctx: CallContext,
  sent: { readonly query: () => unknown; readonly body: unknown },
  call: DeclaredCall,
  // biome-ignore lint/suspicious/noConfusingVoidType: most steps return nothing
) => Promise<Reply | undefined | void> | Reply | undefined | void
/**
 * @param result of the handler, or of the step before this one
 * @returns the result that replaces it; undefined keeps it
 */
export type AfterStep = (ctx: CallContext, result: unknown) => unknown
