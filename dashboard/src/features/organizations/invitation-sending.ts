/** Sends invitations one after the other, waits when the API says so, and remembers what could not be sent. */
import { useEffect, useRef, useState } from 'react'
import { ClientError } from '../../api/calls.ts'
import { type Pause, wait, waitOf } from '../../api/rate-limit.ts'
import { invite } from './invitation-data.ts'

export interface Draft {
  readonly email: string
  readonly role: string
  /** Renew an invitation that is pending. */
  readonly resend: boolean
}

/** In seconds. A longer wait is left to the user. */
const longestPause = 60

/** Of one address, such as a role that no longer exists; others end the sending, because the next call would fail too. */
const ofOneAddress = [
  'VALIDATION_ERROR',
  'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
  'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
  'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
  'ROLE_NOT_FOUND',
]
const isOfOneAddress = (error: unknown) => error instanceof ClientError && ofOneAddress.includes(error.code)

const pauseOf = (error: unknown): number | undefined => {
  const seconds = waitOf(error) ?? 0
  return seconds > 0 && seconds <= longestPause ? seconds : undefined
}

export interface Sent {
  readonly sent: readonly string[]
  /** By email address. */
  readonly failures: ReadonlyMap<string, unknown>
  /** What ended the sending before its end. */
  readonly error: unknown
}

export interface Progress {
  readonly done: number
  readonly total: number
  /** While it waits: the seconds. A new object for each pause. */
  readonly pause: Pause | null
}

interface Target {
  readonly organizationId: string
  readonly teamIds: readonly string[]
}

async function sendAll(
  drafts: readonly Draft[],
  { organizationId, teamIds }: Target,
  signal: AbortSignal,
  report: (progress: Progress) => void,
) {
  const sent: string[] = []
  const failures = new Map<string, unknown>()
  const waiting = [...drafts]
  let error: unknown
  for (let draft = waiting[0]; draft && !signal.aborted && error === undefined; draft = waiting[0]) {
    const progress = { done: sent.length, total: drafts.length }
    report({ ...progress, pause: null })
    try {
      await invite({ ...draft, organizationId, teamId: teamIds.join(',') })
      sent.push(draft.email)
      waiting.shift()
    } catch (failure) {
      const seconds = pauseOf(failure)
      if (seconds !== undefined) {
        report({ ...progress, pause: { seconds } })
        await wait(seconds, signal)
      } else if (isOfOneAddress(failure)) {
        failures.set(draft.email, failure)
        waiting.shift()
      } else error = failure
    }
  }
  return { sent, failures, error }
}

/** @returns `progress` while invitations are sent; `stop` ends that after the current one */
export function useSending() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const send = async (drafts: readonly Draft[], target: Target): Promise<Sent> => {
    abort.current = new AbortController()
    const result = await sendAll(drafts, target, abort.current.signal, setProgress)
    setProgress(null)
    return result
  }
  return { progress, send, stop: () => abort.current?.abort() }
}
