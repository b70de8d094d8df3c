/** The clock of this machine, compared with a time server: SNTP, one datagram in each direction (RFC 5905 §14). */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Config } from '../../features/index.ts'
import { errorReason } from '../../lib/redact.ts'
import { check, type Finding } from './finding.ts'

export interface TimeServer {
  readonly host: string
  readonly port: number
}

const defaultPort = 123
const timeoutMs = 3000

/** @param text `HOST` or `HOST:PORT`, an IPv6 address in brackets @returns null when it is neither */
export function readTimeServer(text: string): TimeServer | null {
  const url = URL.parse(`ntp://${text}`)
  if (!url?.hostname || `${url.hostname}${url.port && `:${url.port}`}`.toLowerCase() !== text.toLowerCase()) return null
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port ? Number(url.port) : defaultPort }
}

/** Between 1900, where NTP starts, and 1970. */
const epochSeconds = 2_208_988_800

/** Milliseconds since 1970. A number of seconds below 2^31 is of the era that begins in 2036. */
function readTimestamp(packet: Buffer, offset: number): number {
  const seconds = packet.readUInt32BE(offset)
  const era = seconds < 2 ** 31 ? 2 ** 32 : 0
  return (seconds + era - epochSeconds) * 1000 + (packet.readUInt32BE(offset + 4) / 2 ** 32) * 1000
}

const [versionAndMode, serverMode, length] = [0x23, 4, 48]

/** @throws Error when it does not belong to this request, or the server does not know the time */
function checkResponse(packet: Buffer, nonce: Buffer): void {
  const [first = 0, stratum = 0] = packet
  const isResponse = packet.length >= length && (first & 7) === serverMode && packet.subarray(24, 32).equals(nonce)
  if (!isResponse) throw new Error('the response is not one of a time server')
  if (first >> 6 === 3 || stratum === 0 || stratum > 15) throw new Error('the server is not synchronized, or rejects the request')
}

/** @returns by how many milliseconds the server is ahead of this machine @throws Error */
async function measureOffset({ host, port }: TimeServer, now: () => number): Promise<number> {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    socket.connect(port, address)
    await once(socket, 'connect', { signal })
    // Random in place of the own time, which the server need not know: it comes back, so that no stranger can respond.
    const nonce = randomBytes(8)
    const request = Buffer.concat([Buffer.from([versionAndMode]), Buffer.alloc(length - 9), nonce])
    const response = once(socket, 'message', { signal })
    const sentAt = now()
    socket.send(request)
    const [packet]: Buffer[] = await response
    const receivedAt = now()
    if (!packet) throw new Error('the response is empty')
    checkResponse(packet, nonce)
    return (readTimestamp(packet, 32) + readTimestamp(packet, 40) - sentAt - receivedAt) / 2
  } catch (error) {
    throw signal.aborted ? new Error(`no response within ${timeoutMs / 1000} seconds`, { cause: error }) : error
  } finally {
    socket.close()
  }
}

/** The longest difference with which a code of an app is still accepted; without such codes as if there were. */
function longestDifference({ twoFactor: { totpOptions } }: Config): number {
  const { window, period } = totpOptions
  return Math.max(1, window * period) * 1000
}

/** @param now milliseconds since 1970, by the clock of this machine */
export async function checkTimeServer(server: TimeServer, config: Config, now: () => number): Promise<Finding> {
  const { ok, warning } = check('ntp-clock', 'Time server')
  try {
    const offset = await measureOffset(server, now)
    const seconds = (Math.abs(offset) / 1000).toFixed(3)
    const message = `The clock of this machine is ${seconds} s ${offset < 0 ? 'ahead of' : 'behind'} ${server.host}`
    if (Math.abs(offset) < longestDifference(config)) return ok(message)
    const fix =
      'Synchronize the clock with NTP. A wrong clock rejects codes of authenticator apps, and ends links and sessions early or late.'
    return warning(message, fix)
  } catch (error) {
    const fix = 'Check the name of the server, and that UDP to its port is permitted.'
    return warning(`Cannot get the time from ${server.host}: ${errorReason(error)}`, fix)
  }
}
