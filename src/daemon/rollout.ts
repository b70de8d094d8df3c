/** Starting workers, replacing lost ones, and rolling a new configuration out. */
import { setTimeout as pause } from 'node:timers/promises'
import { CliFailure } from '../cli/failure.ts'
import { version } from '../core/version.ts'
import type { Member } from './crew.ts'
import type { Daemon } from './daemon.ts'
import type { Order, Purpose, Serving } from './messages.ts'
import type { PrivateListener } from './private-listener.ts'
import type { ReloadReport } from './report.ts'

/** Milliseconds until a worker that neither serves nor fails is given up. */
const startDeadline = 60_000
/** Milliseconds. */
const longestPause = 30_000
/** Milliseconds after which the loss of a worker is no sign of a fault that lasts. */
const goodLife = 60_000

export interface Rollout {
  /** The first worker, which decides how many there are, and then the others. @throws CliFailure */
  startAll(): Promise<Serving>
  /** One after another; the old ones serve until the new ones do. @throws CliFailure */
  reload(): Promise<ReloadReport>
  /** Sees to it that there are as many as there should be, with growing pauses. */
  replace(lost: Member): void
}

export function createRollout(daemon: Daemon, listener: PrivateListener): Rollout {
  // Two reloads at once would each see the other's workers as old ones.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work)
    turn = mine.catch(() => {})
    return mine
  }
  let losses = 0

  async function replenish(): Promise<void> {
    await pause(losses === 0 ? 0 : Math.min(longestPause, 250 * 2 ** losses), undefined, { ref: false })
    losses += 1
    try {
      await inTurn(() => fillUp(daemon))
    } catch (error) {
      if (daemon.phase !== 'serving') return
      daemon.log.error({ err: error }, 'A lost worker could not be replaced; another attempt follows')
      await replenish()
    }
  }

  return {
    startAll: () => inTurn(() => startAll(daemon, listener)),
    reload: () => inTurn(() => reload(daemon, listener)),
    replace: (lost) => {
      if (Date.now() - lost.startedAt.getTime() > goodLife) losses = 0
      if (daemon.phase === 'serving') void replenish()
    },
  }
}

async function start(daemon: Daemon, purpose: Purpose, migrate = false) {
  const { cwd, config, overrides, acknowledge, waitForDatabase, mode } = daemon.options
  const order: Order = {
    purpose,
    cwd,
    configFlag: config ?? undefined,
    overrides,
    migrate,
    acknowledge: purpose === 'start' ? acknowledge : [],
    waitForDatabase: purpose === 'start' ? waitForDatabase : 0,
    isDevelopment: mode === 'development',
    address: daemon.serving?.address ?? null,
  }
  // Nobody can say how long a migration takes.
  const deadline = migrate ? null : startDeadline + order.waitForDatabase * 1000
  const started = await daemon.crew.start(order, daemon.generation, deadline)
  daemon.log.info({ worker: started.member.pid, generation: daemon.generation }, 'A worker serves')
  return started
}

async function startAll(daemon: Daemon, listener: PrivateListener): Promise<Serving> {
  const { member: _, ...wanted } = await start(daemon, 'start', daemon.options.migrate)
  await listener.apply(wanted.privateListener)
  const { host, port } = wanted.address
  const serving = withPort(wanted, await daemon.connections.listen(host, port))
  daemon.serving = serving
  await Promise.all(Array.from({ length: serving.workers - 1 }, () => start(daemon, 'start')))
  return serving
}

/** Without a public address of its own the daemon's is that of its port, which only the system may know. */
function withPort(serving: Serving, port: number): Serving {
  const url = new URL(serving.url)
  if (url.port === '0') url.port = String(port)
  return { ...serving, url: url.href, address: { ...serving.address, port } }
}

async function fillUp(daemon: Daemon): Promise<void> {
  while (daemon.phase === 'serving' && daemon.crew.members('serving').length < (daemon.serving?.workers ?? 0)) {
    await start(daemon, 'replace')
    daemon.counts.replacements += 1
  }
}

async function reload(daemon: Daemon, listener: PrivateListener): Promise<ReloadReport> {
  if (daemon.phase !== 'serving') throw new CliFailure('NOT_SERVING', 'The daemon is starting or stopping', { retryable: true })
  const old = [...daemon.crew.members('serving')]
  const before = old.map(({ pid }) => pid)
  daemon.logFile?.reopen()
  daemon.generation += 1
  const retire = (member: Member | undefined) => member && retireForNext(daemon, member)
  const { member: first, ...serving } = await start(daemon, 'reload')
  try {
    checkVersion(serving)
    await listener.apply(serving.privateListener)
  } catch (error) {
    retireForNext(daemon, first)
    throw error
  }
  daemon.serving = withPort(serving, serving.address.port)
  retire(old.shift())
  for (let started = 1; started < serving.workers; started += 1) {
    await start(daemon, 'reload')
    retire(old.shift())
  }
  old.forEach(retire)
  const after = daemon.crew.members('serving').map(({ pid }) => pid)
  return { before, after, generation: daemon.generation }
}

/** Its connections may stay idle as long as its calls may take: a client that still uses one learns of the end in an answer. */
function retireForNext(daemon: Daemon, member: Member): void {
  const deadline = (daemon.serving?.drainTimeout ?? 0) * 1000
  daemon.crew.drain(member, deadline, deadline)
}

/** Supervisor and workers must speak the same language. */
function checkVersion(serving: Serving): void {
  if (serving.version === version) return
  throw new CliFailure('VERSION_CHANGED', `The daemon is of version ${version}, and ${serving.version} is installed now`, {
    hint: 'A new version needs `latchkey restart`.',
  })
}
