/** Whether a daemon that waits for a move may serve. */
import { type App, memo } from '../../../core/app.ts'
import { settlePrefix } from '../same-schema/prefix.ts'
import { findMove } from './entries.ts'

/** Milliseconds between two queries, however many requests wait. */
const checkMs = 100

interface Waiting {
  isOver: boolean
  checkedAt: number
  checking: Promise<boolean> | null
}
const states = memo((_: App): Waiting => ({ isOver: false, checkedAt: Number.NEGATIVE_INFINITY, checking: null }))

/** A database that does not respond does not end the wait. */
export async function isWaitingForMove(app: App): Promise<boolean> {
  const state = states(app)
  if (state.isOver) return false
  const now = performance.now()
  if (now - state.checkedAt < checkMs) return true
  state.checking ??= isFinal(app).finally(() => {
    state.checkedAt = performance.now()
    state.checking = null
  })
  state.isOver = await state.checking
  return !state.isOver
}

async function isFinal(app: App): Promise<boolean> {
  try {
    await settlePrefix(app)
    return (await findMove(app))?.state === 'final'
  } catch {
    return false
  }
}
