/** The workers of one supervisor: started, watched, drained. */
import cluster, { type Worker } from 'node:cluster'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { answerRateLimit } from '../adapters/rate-limit/supervisor.ts'
import { CliFailure } from '../cli/failure.ts'
import type { RateLimitStore } from '../core/ports.ts'
import { createQuestions, sendTo } from './ask.ts'
import { unpackFailure } from './failures.ts'
import { isToSupervisor, type Order, type Serving, type ToSupervisor } from './messages.ts'

export interface Member {
  readonly worker: Worker
  readonly pid: number
  /** Raised by each reload. */
  readonly generation: number
  readonly startedAt: Date
  state: 'starting' | 'serving' | 'draining'
}

export interface CrewOptions {
  /** Working directory of the workers. */
  readonly cwd: string
  /** Descriptors of standard output and standard error of the workers. */
  readonly outputs: () => readonly [number, number]
  readonly rateLimits: RateLimitStore
  /** A serving worker ended unasked. */
  readonly onLost: (member: Member, how: string) => void
  /** Files of a configuration, also of one that failed. */
  readonly onSources: (files: readonly string[]) => void
}

export interface Crew {
  members(state?: Member['state']): readonly Member[]
  /** @param deadline milliseconds, null for none @throws CliFailure why it does not serve */
  start(order: Order, generation: number, deadline: number | null): Promise<Serving & { readonly member: Member }>
  /** Times in milliseconds. */
  drain(member: Member, idleGrace: number, deadline: number): void
  kill(member: Member): void
  ask(member: Member, about: 'health' | 'metrics', patience: number): Promise<unknown>
  /** Resolves when no process is left. */
  ended(): Promise<void>
}

interface Starting {
  readonly resolve: (serving: Serving) => void
  readonly reject: (error: CliFailure) => void
}

/** Milliseconds between the deadline that a draining worker knows and the one that the supervisor enforces. */
const tolerance = 5000

const source = fileURLToPath(new URL('./worker.ts', import.meta.url))
const script = existsSync(source) ? source : source.replace(/ts$/, 'js')

export function createCrew(options: CrewOptions): Crew {
  const members = new Set<Member>()
  const starting = new Map<Member, Starting>()
  const questions = createQuestions()
  let onEmpty = Promise.withResolvers<void>()

  function hear(member: Member, message: ToSupervisor): void {
    if (message.type === 'closed') sendTo(member.worker, { type: 'leave' })
    else if (message.type === 'answer') questions.settle(message.id, message.answer)
    else settleStart(member, message)
  }

  function settleStart(member: Member, message: Extract<ToSupervisor, { type: 'ready' | 'failed' }>): void {
    options.onSources(message.type === 'ready' ? message.serving.sources : message.sources)
    const waiting = starting.get(member)
    starting.delete(member)
    if (message.type === 'failed') {
      waiting?.reject(unpackFailure(message.failure))
      return
    }
    member.state = 'serving'
    waiting?.resolve(message.serving)
  }

  function bury(member: Member, code: number | null, signal: string | null): void {
    members.delete(member)
    const how = signal ? `killed by ${signal}` : `ended with exit code ${code}`
    const failure = new CliFailure('WORKER_ENDED', `A worker ${how} before it served`, {
      hint: 'Its last lines in the log tell more.',
    })
    starting.get(member)?.reject(failure)
    starting.delete(member)
    if (member.state === 'serving') options.onLost(member, how)
    if (members.size === 0) onEmpty.resolve()
  }

  function add(generation: number): Member {
    const worker = fork(options)
    const member: Member = { worker, pid: worker.process.pid ?? 0, generation, startedAt: new Date(), state: 'starting' }
    if (members.size === 0) onEmpty = Promise.withResolvers()
    members.add(member)
    worker.on('message', (message: unknown) => {
      if (isToSupervisor(message)) hear(member, message)
      else void answerRateLimit(message, options.rateLimits).then((answer) => answer && sendTo(worker, answer))
    })
    worker.on('exit', (code: number | null, signal: string | null) => bury(member, code, signal))
    // A process that could not be started at all has no exit.
    worker.on('error', () => {
      if (worker.process.pid === undefined) bury(member, 1, null)
    })
    return member
  }

  const kill = (member: Member) => void member.worker.process.kill('SIGKILL')

  return {
    members: (state) => [...members].filter((member) => state === undefined || member.state === state),
    start: async (order, generation, deadline) => {
      const member = add(generation)
      const { promise, resolve, reject } = Promise.withResolvers<Serving>()
      starting.set(member, { resolve, reject })
      sendTo(member.worker, { type: 'begin', order })
      const timer = deadline === null ? undefined : setTimeout(() => kill(member), deadline)
      try {
        return { ...(await promise), member }
      } finally {
        clearTimeout(timer)
      }
    },
    drain: (member, idleGrace, deadline) => {
      member.state = 'draining'
      sendTo(member.worker, { type: 'drain', idleGrace, deadline })
      const timer = setTimeout(() => kill(member), deadline + tolerance)
      member.worker.once('exit', () => clearTimeout(timer))
    },
    kill,
    ask: (member, about, patience) => questions.ask(member.worker, about, patience),
    ended: () => (members.size === 0 ? Promise.resolve() : onEmpty.promise),
  }
}

function fork({ cwd, outputs }: CrewOptions): Worker {
  const [out, error] = outputs()
  const quiet = '--disable-warning=ExperimentalWarning'
  const execArgv = [...process.execArgv.filter((argument) => argument !== quiet), quiet]
  cluster.setupPrimary({ exec: script, args: [], execArgv, cwd, stdio: ['ignore', out, error, 'ipc'] })
  // Hashes fill as many threads as there are cores; file reads and look-ups of names must not wait behind them.
  const threads = process.env.UV_THREADPOOL_SIZE ?? String(availableParallelism() + 2)
  return cluster.fork({ UV_THREADPOOL_SIZE: threads })
}
