/** Runs a verification, and remembers its result. */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from './event.ts'
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

export const verifyJob: Job = {
  every: 86_400,
  run: async (app, signal) => {
    const { state, problems, problemCount } = await verifyEvents(app, { signal })
    if (state === 'intact') return
    app.log.error({ state, problems, problemCount }, 'The audit log is not intact: run latchkey audit verify')
  },
}
