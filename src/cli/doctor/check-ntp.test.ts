import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { checkTimeServer, readTimeServer } from './check-ntp.ts'

const now = Date.parse('2026-11-28T12:00:00.250Z')

interface Packet {
  readonly first?: number
  readonly stratum?: number
  readonly nonce?: Buffer
  readonly length?: number
}

function writeTime(packet: Buffer, offset: number, time: number): void {
  packet.writeUInt32BE((Math.floor(time / 1000) + 2_208_988_800) % 2 ** 32, offset)
  packet.writeUInt32BE(Math.round(((((time % 1000) + 1000) % 1000) / 1000) * 2 ** 32), offset + 4)
}

/** A time server on this machine. @param respond null: it is silent */
async function serve(time: number, respond: Packet | null = {}) {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  const requests: Buffer[] = []
  socket.on('message', (request: Buffer, from: RemoteInfo) => {
    requests.push(request)
    if (!respond) return
    const packet = Buffer.alloc(48)
    packet.writeUInt8(respond.first ?? 0x24, 0)
    packet.writeUInt8(respond.stratum ?? 2, 1)
    const nonce = respond.nonce ?? request.subarray(40, 48)
    nonce.copy(packet, 24)
    for (const offset of [32, 40]) writeTime(packet, offset, time)
    socket.send(packet.subarray(0, respond.length ?? 48), from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: { host: '127.0.0.1', port: socket.address().port }, requests }
}

async function compare(
  time: number,
  { respond, twoFactor = true }: { respond?: Packet | null; twoFactor?: object | boolean } = {},
) {
  const { server, requests } = await serve(time, respond)
  const { app } = await testApp({ twoFactor })
  const { status, message } = await checkTimeServer(server, app.config, () => now)
  return { found: `${status}: ${message}`, requests }
}

describe('doctor --ntp', () => {
  test.each([
    [0.25, 'ok: The clock of this machine is 0.250 s behind 127.0.0.1'],
    [-29, 'ok: The clock of this machine is 29.000 s ahead of 127.0.0.1'],
    [30, 'warning: The clock of this machine is 30.000 s behind 127.0.0.1'],
    [-3600, 'warning: The clock of this machine is 3600.000 s ahead of 127.0.0.1'],
  ])('compares the clock with a server that is %d seconds ahead', async (seconds, expected) => {
    expect((await compare(now + seconds * 1000)).found).toBe(expected)
  })

  test('warns earlier when only the current code of an app is accepted', async () => {
    const twoFactor = { totpOptions: { window: 0 } }
    expect((await compare(now + 900, { twoFactor })).found).toContain('ok: ')
    expect((await compare(now + 1000, { twoFactor })).found).toContain('warning: ')
  })

  test('sends one request, which does not contain the time of this machine', async () => {
    const [first, second] = [await compare(now), await compare(now)]
    expect(first.requests).toHaveLength(1)
    const [request = Buffer.alloc(0)] = first.requests
    expect([request.length, request[0]]).toEqual([48, 0x23])
    expect(request.subarray(1, 40).every((byte) => byte === 0)).toBe(true)
    expect(request.subarray(40).equals(second.requests[0]?.subarray(40) ?? Buffer.alloc(0))).toBe(false)
  })

  test('reads times after the year 2036', async () => {
    const { server } = await serve(Date.parse('2040-01-01T00:00:00Z'))
    const { app } = await testApp()
    const { message } = await checkTimeServer(server, app.config, () => Date.parse('2040-01-01T00:00:01Z'))
    expect(message).toBe('The clock of this machine is 1.000 s ahead of 127.0.0.1')
  })

  test.each<[string, Packet, string]>([
    ['to another request', { nonce: Buffer.alloc(8, 7) }, 'the response is not one of a time server'],
    ['that is short', { length: 20 }, 'the response is not one of a time server'],
    ['of a client', { first: 0x23 }, 'the response is not one of a time server'],
    ['of a server that is not synchronized', { first: 0xe4 }, 'the server is not synchronized, or rejects the request'],
    ['that rejects the request', { stratum: 0 }, 'the server is not synchronized, or rejects the request'],
  ])('uses no response %s', async (_, respond, reason) => {
    expect((await compare(now, { respond })).found).toBe(`warning: Cannot get the time from 127.0.0.1: ${reason}`)
  })

  test('waits three seconds for a silent server, and not for a closed port', async () => {
    expect((await compare(now, { respond: null })).found).toBe(
      'warning: Cannot get the time from 127.0.0.1: no response within 3 seconds',
    )
    const { app } = await testApp()
    const closed = createSocket('udp4').bind(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address()
    closed.close()
    const finding = await checkTimeServer({ host: '127.0.0.1', port }, app.config, () => now)
    expect(finding).toMatchObject({ status: 'warning', message: expect.stringContaining('ECONNREFUSED') })
  })

  test.each([
    ['time.example.com', { host: 'time.example.com', port: 123 }],
    ['Time.example.com:1123', { host: 'Time.example.com', port: 1123 }],
    ['192.0.2.1', { host: '192.0.2.1', port: 123 }],
    ['[2001:db8::1]', { host: '2001:db8::1', port: 123 }],
    ['[2001:db8::1]:1123', { host: '2001:db8::1', port: 1123 }],
    ['', null],
    ['2001:db8::1', null],
    ['a b', null],
    ['host/path', null],
    ['user@host', null],
    ['host:70000', null],
  ])('reads %j as a server', (text, expected) => {
    expect(readTimeServer(text)).toEqual(expected)
  })
})
