/** Signed rows about the chain as a whole: its end, its start after a deletion, and the result of the last verification. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { insertUnlessExists } from '../../core/write.ts'

/** `head`: the last event of the chain. `anchor`: the last deleted event. `verified`: the last event that was verified. */
type StateName = 'head' | 'anchor' | 'verified'

export interface ChainState {
  readonly sequence: number
  /** Of the event with this sequence; empty for the start of the chain. */
  readonly hash: string
  readonly updatedAt: Date
  readonly details: string
  /** Whether a configured secret signed it. */
  readonly isValid: boolean
}

export const chainStart = { sequence: 0, hash: '' } as const

const purpose = 'audit state'
const signedText = (id: StateName, { sequence, hash, updatedAt, details }: Omit<ChainState, 'isValid'>) =>
  JSON.stringify([id, sequence, hash, updatedAt.toISOString(), details])

export async function readState(app: App, id: StateName): Promise<ChainState | null> {
  const row = await app.db.selectFrom('auditState').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const state = { sequence: Number(row.sequence), hash: row.hash, updatedAt: row.updatedAt, details: row.details }
  return { ...state, isValid: app.keyring.hashes(purpose, signedText(id, state)).includes(row.code) }
}

/**
 * Replaces a state, in the transaction of `app`.
 * @param expected the sequence of the present row; undefined: there is none
 * @returns false when another process was faster
 */
export async function replaceState(
  app: App,
  id: StateName,
  expected: number | undefined,
  { sequence, hash, details = '' }: { readonly sequence: number; readonly hash: string; readonly details?: string },
): Promise<boolean> {
  const state = { sequence, hash, updatedAt: app.now(), details }
  const row = { ...state, code: app.keyring.hash(purpose, signedText(id, state)) }
  if (expected === undefined) return insertUnlessExists(app, app.db.insertInto('auditState').values({ id, ...row }))
  const replaced = app.db.updateTable('auditState').set(row).where('id', '=', id).where('sequence', '=', expected)
  return (await replaced.executeTakeFirst()).numUpdatedRows > 0n
}

/** What a verification found, at the number of an event in the chain. */
export const problemView = z.object({
  kind: z.enum(['changed', 'inserted', 'removed', 'reordered', 'truncated', 'head', 'address', 'secret']),
  sequence: z.int().nullable(),
  id: z.string().nullable(),
  message: z.string().meta({ examples: ['The event does not match its code'] }),
})
export type Problem = z.output<typeof problemView>

const result = z.object({
  state: z.enum(['intact', 'broken', 'unverified']),
  problems: z.array(problemView),
})
export type VerificationResult = z.output<typeof result>

/** The result of the last verification; null before the first, and when the row is not what Latchkey has written. */
export function readResult(state: ChainState | null): VerificationResult | null {
  if (!state?.isValid) return null
  return result.parse(JSON.parse(state.details))
}
