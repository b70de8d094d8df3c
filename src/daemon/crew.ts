/** The workers of one supervisor: started, watched, drained. */
import cluster, { type Worker } from 'node:cluster'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { answerRateLimit } from '../adapters/rate-limit/supervisor.ts'
import { CliFailure } from '../cli/failure.ts'
import type { RateLimitStore } from '../core/ports.ts'
import { createQuestions, type Questions, sendTo } from './ask.ts'
import type { Connections } from './connections.ts'
import { unpackFailure } from './failures.ts'
import { isToSupervisor, type Order, type Question, type Serving, type ToSupervisor } from './messages.ts'
import { compileCache } from './state.ts'

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
  /** Told who can take connections. */
  readonly connections: Connections
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
  ask(member: Member, about: Question, patience: number): Promise<unknown>
  /** Resolves when no process is left. */
  ended(): Promise<void>
}

interface Starting {
  readonly resolve: (serving: Serving) => void
  readonly reject: (error: CliFailure) => void
}

interface State {
  readonly options: CrewOptions
  readonly members: Set<Member>
  /** Who waits for what becomes of a member. */
  readonly starting: Map<Member, Starting>
  readonly questions: Questions
  empty: PromiseWithResolvers<void>
}

/** Milliseconds between the deadline that a draining worker knows and the one that the supervisor enforces. */
const tolerance = 5000

const source = fileURLToPath(new URL('./worker.ts', import.meta.url))
const script = existsSync(source) ? source : source.replace(/ts$/, 'js')

export function createCrew(options: CrewOptions): Crew {
  const empty = Promise.withResolvers<void>()
  const state: State = { options, members: new Set(), starting: new Map(), questions: createQuestions(), empty }
  empty.resolve()
  return {
    members: (wanted) => [...state.members].filter((member) => wanted === undefined || member.state === wanted),
    start: async (order, generation, deadline) => {
      const member = add(state, generation)
      const { promise, resolve, reject } = Promise.withResolvers<Serving>()
      state.starting.set(member, { resolve, reject })
      sendTo(member.worker, { type: 'begin', order })
      const timer = deadline === null ? undefined : setTimeout(() => giveUp(state, member, deadline), deadline)
      try {
        return { ...(await promise), member }
      } finally {
        clearTimeout(timer)
      }
    },
    drain: (member, idleGrace, deadline) => {
      member.state = 'draining'
      options.connections.remove(member.worker)
      sendTo(member.worker, { type: 'drain', idleGrace, deadline })
      const timer = setTimeout(() => kill(member), deadline + tolerance)
      member.worker.once('exit', () => clearTimeout(timer))
    },
    kill,
    ask: (member, about, patience) => state.questions.ask(member.worker, about, patience),
    ended: () => state.empty.promise,
  }
}

function add(state: State, generation: number): Member {
  const worker = fork(state.options)
  const member: Member = { worker, pid: worker.process.pid ?? 0, generation, startedAt: new Date(), state: 'starting' }
  if (state.members.size === 0) state.empty = Promise.withResolvers()
  state.members.add(member)
  worker.on('message', (message: unknown) => {
    if (isToSupervisor(message)) hear(state, member, message)
    else void answerRateLimit(message, state.options.rateLimits).then((answer) => answer && sendTo(worker, answer))
  })
  worker.on('exit', (code: number | null, signal: string | null) =>
    bury(state, member, signal ? `was killed by ${signal}` : `ended with exit code ${code}`),
  )
  worker.on('error', (error) => {
    // A process that could not be made at all has no exit.
    if (worker.process.pid === undefined) bury(state, member, `could not be made: ${error.message}`)
  })
  return member
}

function giveUp({ starting }: State, member: Member, deadline: number): void {
  const message = `A worker did not serve within ${Math.round(deadline / 1000)} seconds`
  starting.get(member)?.reject(new CliFailure('START_TIMEOUT', message, { hint: 'Its last lines in the log tell more.' }))
  kill(member)
}

const kill = (member: Member) => void member.worker.process.kill('SIGKILL')

function hear(state: State, member: Member, message: ToSupervisor): void {
  if (message.type === 'confirmed') state.options.connections.confirm(member.worker)
  else if (message.type === 'answer') state.questions.settle(message.id, message.answer)
  else if (message.type === 'draining') {
    lose(state, member, 'was told to end by somebody else')
    sendTo(member.worker, { type: 'leave' })
  } else settleStart(state, member, message)
}

function settleStart(state: State, member: Member, message: Extract<ToSupervisor, { type: 'ready' | 'failed' }>): void {
  state.options.onSources(message.type === 'ready' ? message.serving.sources : message.sources)
  const waiting = state.starting.get(member)
  state.starting.delete(member)
  if (message.type === 'failed') {
    waiting?.reject(unpackFailure(message.failure))
    return
  }
  member.state = 'serving'
  state.options.connections.add(member.worker)
  waiting?.resolve(message.serving)
}

/** Unasked: somebody has to take its place. */
function lose({ options }: State, member: Member, how: string): void {
  const wasServing = member.state === 'serving'
  member.state = 'draining'
  options.connections.remove(member.worker)
  if (wasServing) options.onLost(member, how)
}

function bury(state: State, member: Member, how: string): void {
  const { members, starting, questions, empty, options } = state
  members.delete(member)
  questions.abandon(member.worker)
  const hint = 'Its last lines in the log tell more.'
  starting.get(member)?.reject(new CliFailure('WORKER_ENDED', `A worker ${how} before it served`, { hint }))
  starting.delete(member)
  lose(state, member, how)
  options.connections.forget(member.worker)
  if (members.size === 0) empty.resolve()
}

function fork({ cwd, outputs }: CrewOptions): Worker {
  const [out, error] = outputs()
  const own = ['--disable-warning=ExperimentalWarning', '--expose-gc']
  const execArgv = [...process.execArgv.filter((argument) => !own.includes(argument)), ...own]
  cluster.setupPrimary({ exec: script, args: [], execArgv, cwd, stdio: ['ignore', out, error, 'ipc'] })
  // Hashes fill as many threads as there are cores; file reads and look-ups of names must not wait behind them.
  const threads = process.env.UV_THREADPOOL_SIZE ?? String(availableParallelism() + 2)
  return cluster.fork({ UV_THREADPOOL_SIZE: threads, NODE_COMPILE_CACHE: compileCache(cwd) })
}
