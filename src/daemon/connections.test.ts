/** Which connection is closed when there are too many. */
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Logger } from '../core/ports.ts'
import { createConnections } from './connections.ts'

const log: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => log }

/** At most three connections, and a name for each. */
function setUp() {
  const connections = createConnections(log, 3)
  const sockets = new Map<string, Socket>()
  const find = (name: string) => {
    const connection = connections.open.get(sockets.get(name) ?? new Socket())
    if (!connection) throw new Error(`${name} is not open`)
    return connection
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    find,
    connections,
    add: async (name: string, listener: 'public' | 'private-socket' = 'public') => {
      const socket = new Socket()
      sockets.set(name, socket)
      connections.add(socket, listener)
      await settle()
    },
    /** @param complete whether the request has its whole body */
    request: (name: string, complete = true) => {
      let close = () => {}
      const response = {
        req: { complete },
        writableEnded: false,
        writableFinished: false,
        destroyed: false,
        once: (_: string, listener: () => void) => {
          close = listener
        },
      }
      const outgoing = response as unknown as ServerResponse
      connections.onRequest(find(name), outgoing)
      return {
        end: ({ isRead }: { readonly isRead: boolean }) => {
          Object.assign(response, { writableEnded: true, writableFinished: isRead })
          connections.onResponse(find(name), outgoing)
        },
        close: () => close(),
      }
    },
    open: () => [...sockets].flatMap(([name, socket]) => (socket.destroyed ? [] : [name])),
  }
}

test('the connection that has sent nothing for longest is closed', async () => {
  const { add, request, open } = setUp()
  for (const name of ['a', 'b', 'c']) await add(name)
  request('a').end({ isRead: true })
  await add('d')
  expect(open()).toEqual(['a', 'c', 'd'])
  await add('e')
  expect(open()).toEqual(['a', 'd', 'e'])
  await add('f')
  expect(open()).toEqual(['d', 'e', 'f'])
})

test('a connection with a call since the last search is not closed before those without one', async () => {
  const { add, request, open } = setUp()
  for (const name of ['a', 'b', 'c', 'd']) await add(name)
  expect(open()).toEqual(['b', 'c', 'd'])
  request('b').end({ isRead: true })
  await add('e')
  expect(open()).toEqual(['b', 'd', 'e'])
})

test('a connection whose call is running is not closed, and waits from the end of its response', async () => {
  const { add, request, open } = setUp()
  for (const name of ['a', 'b', 'c']) await add(name)
  const call = request('a')
  request('b').end({ isRead: true })
  await add('d')
  expect(open()).toEqual(['a', 'b', 'd'])
  call.end({ isRead: true })
  await add('e')
  expect(open()).toEqual(['a', 'd', 'e'])
})

test('the new connection is closed when calls run on all others', async () => {
  const { add, request, open } = setUp()
  for (const name of ['a', 'b', 'c']) {
    await add(name)
    request(name)
  }
  for (const name of ['d', 'e']) {
    await add(name)
    expect(open()).toEqual(['a', 'b', 'c'])
  }
})

test('a connection with an unfinished body or an unread response waits', async () => {
  const { add, request, open } = setUp()
  for (const name of ['a', 'b', 'c']) await add(name)
  request('a', false)
  const unread = request('b')
  unread.end({ isRead: false })
  request('c')
  await add('d')
  expect(open()).toEqual(['b', 'c', 'd'])
  await add('e')
  expect(open()).toEqual(['c', 'd', 'e'])
})

test('a client that reads a large response late waits from then on', async () => {
  const { add, request, open, find } = setUp()
  for (const name of ['a', 'b', 'c']) await add(name)
  const large = request('a')
  large.end({ isRead: false })
  for (const name of ['b', 'c']) request(name).end({ isRead: true })
  large.close()
  expect(find('a').response).toBeNull()
  await add('d')
  expect(open()).toEqual(['a', 'c', 'd'])
})

test('private connections are never closed', async () => {
  const { add, open } = setUp()
  for (const name of ['a', 'b', 'c']) await add(name, 'private-socket')
  await add('d')
  expect(open()).toEqual(['a', 'b', 'c'])
})
