/**
 * The open connections of a worker. Nothing is listed or sorted while a call runs: a call leaves a number at its connection, and
 * only when there are too many connections are they sorted by it.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../core/ports.ts'
import { findDescriptorLimit, oncePerMinute } from './connection-handover.ts'
import type { Listener } from './messages.ts'

export interface Connection {
  readonly socket: Socket
  readonly listener: Listener
  /** When it began to wait for its client, as a number that grows with each call and each connection. */
  waitsSince: number
  /** The last response, until it is sent. */
  response: ServerResponse | null
  /** An ambiguous request was rejected: what follows may be its body. */
  isRejected: boolean
}

export interface Connections {
  readonly open: ReadonlyMap<Socket, Connection>
  /** When too many are open, the public one that has waited for longest for its client is closed. */
  add(socket: Socket, listener: Listener): void
  onRequest(connection: Connection, outgoing: ServerResponse): void
  /** To be called when the server has ended a response, whether or not its client has read it. */
  onResponse(connection: Connection, outgoing: ServerResponse): void
}

/** @param maxConnections default: by the limit of open files of the process */
export function createConnections(log: Logger, maxConnections = findMaxConnections()): Connections {
  const open = new Map<Socket, Connection>()
  let now = 0
  const search = createSearch(open, () => now)
  const warn = oncePerMinute((closed) =>
    log.warn({ open: open.size, maxConnections, closed }, 'Too many open connections: waiting ones were closed'),
  )
  const onSent = (connection: Connection, outgoing: ServerResponse): void => {
    now += 1
    connection.waitsSince = now
    if (connection.response === outgoing) connection.response = null
  }
  return {
    open,
    add: (socket, listener) => {
      now += 1
      open.set(socket, { socket, listener, waitsSince: now, response: null, isRejected: false })
      socket.once('close', () => open.delete(socket))
      // Else the closed connections of a flood would stay in memory until the next one.
      if (open.size < maxConnections / 2) search.reset()
      if (open.size <= maxConnections) return
      // A flood of silent connections, unfinished bodies or unread responses must not lock out clients that send a request
      // immediately.
      const closed = search.findLongest() ?? socket
      closed.destroy()
      warn()
    },
    onRequest: (connection, outgoing) => {
      now += 1
      connection.waitsSince = now
      connection.response = outgoing
    },
    onResponse: (connection, outgoing) => {
      // The system takes most responses whole. For the others the connection waits until its client has read enough.
      if (outgoing.writableFinished || outgoing.destroyed) onSent(connection, outgoing)
      else outgoing.once('close', () => onSent(connection, outgoing))
    },
  }
}

/** About a millisecond of work. A flood of new connections must not cost more than it does harm. */
const maxSearched = 10_000

/** @param now the number of the last call or connection */
function createSearch(open: ReadonlyMap<Socket, Connection>, now: () => number) {
  /** As they were when they were sorted: the longest last. One that has had a call since waits for less time than all others here. */
  let sorted: { readonly connection: Connection; readonly since: number }[] = []
  let sortedAt = Number.NEGATIVE_INFINITY
  const next = (): Socket | undefined => {
    for (let entry = sorted.pop(); entry; entry = sorted.pop()) {
      const { connection, since } = entry
      if (connection.waitsSince === since && isWaiting(connection)) return connection.socket
    }
    return undefined
  }
  const sort = (): void => {
    sortedAt = now()
    sorted = [...open.values()]
      .filter((connection) => connection.listener === 'public' && isWaiting(connection))
      .map((connection) => ({ connection, since: connection.waitsSince }))
      .sort((one, other) => other.since - one.since)
  }
  return {
    /** @returns the public connection that has waited for longest; undefined when none waits */
    findLongest: (): Socket | undefined => {
      const found = next()
      if (found || now() - sortedAt < open.size / maxSearched) return found
      sort()
      return next()
    },
    reset: (): void => {
      sorted = []
    },
  }
}

/** For a request, for the rest of its body, or until the client has read the response. */
const isWaiting = ({ socket, response }: Connection): boolean =>
  !socket.destroyed && (!response?.req.complete || response.writableEnded)

/** At least 100 descriptors are left for database, Redis, logs and outgoing calls. */
const findMaxConnections = (): number => {
  const limit = findDescriptorLimit()
  return Math.max(16, Math.floor(limit - Math.max(100, limit / 4)))
}
