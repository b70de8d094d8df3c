/** What is frozen during an incident, as this process knows it: features read it without a query, the feature of incidents writes it. */
import { type App, memo } from './app.ts'

/** `sign-up`: no new users by public calls; `sign-in`: no new sessions; `writes`: read-only mode. */
export const freezeKinds = ['sign-up', 'sign-in', 'writes'] as const
export type FreezeKind = (typeof freezeKinds)[number]

export interface Freeze {
  readonly kind: FreezeKind
  /** Null: until it is lifted. */
  readonly expiresAt: Date | null
}

/** Null while nothing is frozen, so that a call pays for one comparison. */
const stateOf = memo((_: Pick<App, 'memo'>): { freezes: readonly Freeze[] | null; revision: number } => ({
  freezes: null,
  revision: 0,
}))

type Reader = Pick<App, 'memo' | 'now'>

const isActive = (app: Pick<App, 'now'>, { expiresAt }: Freeze): boolean => expiresAt === null || expiresAt > app.now()

/** The freeze of a kind that is active now; null when there is none. */
export function findFreeze(app: Reader, kind: FreezeKind): Freeze | null {
  const { freezes } = stateOf(app)
  return freezes?.find((freeze) => freeze.kind === kind && isActive(app, freeze)) ?? null
}

/** What is frozen now; null while nothing is. */
export function frozenKinds(app: Reader): readonly FreezeKind[] | null {
  const { freezes } = stateOf(app)
  const frozen = freezes?.filter((freeze) => isActive(app, freeze)).map(({ kind }) => kind)
  return frozen && frozen.length > 0 ? frozen : null
}

/** How often this process has changed what it knows. What was read before a change is older than that. */
export const freezeRevision = (app: Pick<App, 'memo'>): number => stateOf(app).revision

/** Replaces what this process knows. */
export function setFreezes(app: Pick<App, 'memo'>, freezes: readonly Freeze[]): void {
  const state = stateOf(app)
  state.freezes = freezes.length > 0 ? freezes : null
  state.revision += 1
}

/** Without an end, programs try again after this many seconds. */
const defaultRetrySeconds = 60

/** The header that says when a rejected call may succeed: at the end of the freeze, or in a minute. */
export function retryAfter({ now }: Pick<App, 'now'>, { expiresAt }: Freeze): Record<string, string> {
  const seconds = expiresAt ? Math.max(1, Math.ceil((expiresAt.getTime() - now().getTime()) / 1000)) : defaultRetrySeconds
  return { 'retry-after': String(seconds) }
}
