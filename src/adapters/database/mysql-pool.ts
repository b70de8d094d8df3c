/** mysql2's pool, with a deadline for every wait and as many connections as the server has room for. */
import { connect, isIP, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2'
import { hasProperty } from '../../lib/driver-errors.ts'
import type { DatabaseOptions } from './dialect.ts'

export interface ConnectionPoolOptions extends Pick<DatabaseOptions, 'poolSize' | 'connectTimeout' | 'onWait'> {
  readonly address: Pick<PoolOptions, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'>
}

/** No connection became free in time. */
export const busyCode = 'POOL_BUSY'
/** The server has no room for one more connection, of anyone (1040) or of this account (1203, 1226). */
export const fullNumbers = [1040, 1203, 1226]
/** A caller waits this much longer than a connection may take to open. */
const graceMs = 1000
/** Time after which a pool tries again to open more connections than it has. */
const regrowMs = 1000
/** Per connection, because the server counts them over all connections. */
export const maxPreparedStatements = 50

const createConnections = ({ poolSize, connectTimeout, address }: ConnectionPoolOptions) =>
  createPool({
    ...address,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout,
    connectionLimit: poolSize,
    maxPreparedStatements,
    decimalNumbers: true,
    stringifyObjects: true,
    multipleStatements: false,
    enableKeepAlive: true,
    ...(address.ssl && isIP(address.host ?? '') ? { stream: () => connectToAddress(address) } : {}),
    // Affected rows are the rows that matched, changed or not, as in SQLite.
    flags: ['FOUND_ROWS', '-LOCAL_FILES'],
  })

/**
 * A connection whose certificate must have this IP address. mysql2 passes a name to Node.js only for names; otherwise Node.js compares
 * the certificate with the `_host` of the socket, which it sets for names only, and without one with `localhost`.
 */
function connectToAddress({ host = '', port = 3306 }: ConnectionPoolOptions['address']): Socket {
  const socket = connect({ host, port, keepAlive: true, noDelay: true })
  return Object.assign(socket, { _host: host })
}

interface Caller {
  readonly resolve: (connection: PoolConnection) => void
  readonly reject: (error: Error) => void
  readonly deadline: NodeJS.Timeout
  isLate: boolean
  /** `released` when its connection was requested. */
  releasedBefore: number
}

interface State {
  readonly pool: Pool
  readonly poolSize: number
  readonly waiting: Caller[]
  /** Connections in use or being opened; idle ones are used before another is opened. */
  active: number
  /** The most connections that may be active now. */
  limit: number
  /** How often a connection has become idle. */
  released: number
}

/** Connects for the first caller. */
export function openPool(options: ConnectionPoolOptions) {
  const { poolSize, connectTimeout, onWait } = options
  const timeoutMs = connectTimeout + graceMs
  const state: State = { pool: createConnections(options), poolSize, waiting: [], active: 0, limit: poolSize, released: 0 }
  const leave = () => {
    state.active -= 1
    startWaiting(state)
  }
  return {
    usage: () => ({ size: poolSize, active: state.active, waiting: state.waiting.length }),
    /**
     * Callers are served in their order.
     * @param longestMs the longest wait in milliseconds
     * @throws the error of the server, or one with `busyCode` after the deadline
     */
    acquire: async (longestMs: number) => {
      const startedAt = performance.now()
      const connection = await wait(state, Math.ceil(Math.max(0, Math.min(timeoutMs, longestMs))))
      onWait?.((performance.now() - startedAt) / 1000)
      return connection
    },
    release: (connection: PoolConnection): void => {
      connection.release()
      state.released += 1
      leave()
    },
    kill: (connection: PoolConnection): void => kill(state, connection),
    /** Closes a connection instead of returning it to the pool. */
    discard: (connection: PoolConnection): void => {
      destroy(connection)
      leave()
    },
    end: (): Promise<void> => end(state, connectTimeout),
  }
}

async function end({ pool }: State, longestMs: number): Promise<void> {
  const promised = pool.promise()
  // A connection that fails, as one that was being opened, has ended too.
  const ended = promised.end().catch(() => undefined)
  // A silent server must not keep us waiting.
  await Promise.race([ended, pause(longestMs, undefined, { ref: false })])
}

/**
 * Ends on the server what a connection is doing, with its locks: the server notices a closed connection only at the end of a
 * statement. An account may end its own connections. Where this fails, the timeouts of the server end the statement.
 */
function kill(state: State, { threadId }: PoolConnection): void {
  state.pool.query(`kill ${Number(threadId)}`, () => {})
}

const wait = (state: State, timeoutMs: number): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    const deadline = setTimeout(() => expire(state, caller, timeoutMs), timeoutMs)
    const caller: Caller = { resolve, reject, deadline, isLate: false, releasedBefore: 0 }
    state.waiting.push(caller)
    startWaiting(state)
  })

function startWaiting(state: State): void {
  while (state.active < state.limit) {
    const caller = state.waiting.shift()
    if (!caller) return
    state.active += 1
    caller.releasedBefore = state.released
    state.pool.getConnection((error, connection) => settle(state, caller, error, connection))
  }
}

function settle(state: State, caller: Caller, error: NodeJS.ErrnoException | null, connection: PoolConnection): void {
  if (!error && !caller.isLate) {
    clearTimeout(caller.deadline)
    caller.resolve(connection)
    return
  }
  state.active -= 1
  if (!error) {
    connection.release()
    state.released += 1
  } else if (!caller.isLate && hasProperty(error, 'errno', fullNumbers) && hasAnother(state, caller))
    waitForAnother(state, caller)
  else fail(caller, error)
  startWaiting(state)
}

/** Whether a connection is active, or may have become idle since this one was requested. */
const hasAnother = (state: State, caller: Caller): boolean => state.active > 0 || state.released > caller.releasedBefore

function waitForAnother(state: State, caller: Caller): void {
  state.waiting.unshift(caller)
  state.limit = Math.max(state.active, 1)
  setTimeout(() => {
    state.limit = state.poolSize
    startWaiting(state)
  }, regrowMs).unref()
}

function expire({ waiting }: State, caller: Caller, timeoutMs: number): void {
  caller.isLate = true
  const index = waiting.indexOf(caller)
  if (index !== -1) waiting.splice(index, 1)
  caller.reject(Object.assign(new Error(`No database connection was free within ${timeoutMs} ms`), { code: busyCode }))
}

function fail(caller: Caller, error: Error): void {
  clearTimeout(caller.deadline)
  caller.reject(error)
}

/** Also closes a socket whose other end is silent, which would otherwise keep the process alive. */
function destroy(connection: PoolConnection): void {
  connection.destroy()
  if ('stream' in connection && connection.stream instanceof Socket) connection.stream.destroy()
}
