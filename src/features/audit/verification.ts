/** Runs a verification, and remembers its result. */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { transaction } from '../../core/transaction.ts'
import { hashesOf } from './chain.ts'
import { codesOf, hasRecordedAddress, recordEvent } from './event.ts'
import { chainStart, type Problem, readResult, readState, replaceState, type VerificationResult } from './state.ts'
import { type VerifyOptions, verifyChain } from './verify.ts'

/** Problems that are remembered. */
const keptProblems = 10

export interface Verification extends VerificationResult {
  readonly events: number
  /** The last event that was verified. */
  readonly through: number
  /** Of all problems; `problems` has the first ones only. */
  readonly problemCount: number
}

/** Verifies the chain, records that as an event, and remembers the result unless only a part was verified. */
export async function verifyEvents(app: App, options: Partial<VerifyOptions> = {}): Promise<Verification> {
  const problems: Problem[] = []
  let problemCount = 0
  let isBroken = false
  const onProblem = (problem: Problem): void => {
    problemCount += 1
    isBroken ||= problem.kind !== 'secret'
    if (problems.length < keptProblems) problems.push(problem)
    options.onProblem?.(problem)
  }
  const { events, last } = await verifyChain(app, { ...options, onProblem })
  const state = problemCount === 0 ? 'intact' : isBroken ? 'broken' : 'unverified'
  const isWhole = options.after === undefined
  await transaction(app, async (tx) => {
    const former = await readState(tx, 'verified')
    const details = JSON.stringify({ state, problems } satisfies VerificationResult)
    // When another verification has ended at the same time, its result stays.
    if (isWhole) await replaceState(tx, 'verified', former?.sequence, { ...last, details })
    const outcome = state === 'intact' ? 'succeeded' : 'failed'
    await recordEvent(tx, {
      action: 'audit.verified',
      outcome,
      details: { events, through: last.sequence, problems: problemCount },
    })
  })
  return { state, problems, problemCount, events, through: last.sequence }
}

/** The size of the chain, and the result of the last verification. */
export async function readAuditStatus(app: App) {
  const [head, anchor, verified] = [
    await readState(app, 'head'),
    await readState(app, 'anchor'),
    await readState(app, 'verified'),
  ]
  const result = readResult(verified)
  const lastSequence = (head ?? chainStart).sequence
  return {
    events: lastSequence - (anchor ?? chainStart).sequence,
    lastSequence,
    verifiedAt: result && verified ? verified.updatedAt : null,
    verifiedThrough: result && verified ? verified.sequence : null,
    state: result?.state ?? ('unverified' as const),
    problems: result?.problems ?? [],
    retention: app.config.audit.retention,
  }
}

/** An event, and whether its content and its place in the chain are as recorded; null when there is none with this id. */
export async function readEvent(app: App, id: string) {
  const row = await app.db.selectFrom('auditEvent').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const isContent = codesOf(app, row).includes(row.code) && hasRecordedAddress(app, row)
  if (row.sequence === null || row.hash === null) return { row, previousHash: null, isValid: isContent }
  const before = Number(row.sequence) - 1
  const anchor = await readState(app, 'anchor')
  const previous = app.db.selectFrom('auditEvent').select('hash').where('sequence', '=', before)
  const known = anchor?.sequence === before ? anchor.hash : (await previous.executeTakeFirst())?.hash
  const previousHash = before === 0 ? '' : (known ?? null)
  const isPlace = previousHash !== null && hashesOf(app, previousHash, before + 1, row.code).recorded.includes(row.hash)
  return { row, previousHash: previousHash || null, isValid: isContent && isPlace }
}

export const verifyJob: Job = {
  every: 86_400,
  run: async (app, signal) => {
    const { state, problems, problemCount } = await verifyEvents(app, { signal })
    if (state === 'intact') return
    app.log.error({ state, problems, problemCount }, 'The audit log is not intact: run latchkey audit verify')
  },
}
