/** Responses with a compressed body: of files, which the build compresses, and of pages. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { DashboardFile } from '../core/ports.ts'
import { acceptsCoding } from '../lib/negotiation.ts'
import { headerOf, type Received } from './request.ts'
import type { Sent } from './respond.ts'

type Encoding = 'br' | 'gzip'
type Headers = Readonly<Record<string, string>>

/** @param quality 11: for a body that is sent often */
const compressors: Readonly<Record<Encoding, (body: string | Uint8Array, quality: number) => Uint8Array<ArrayBuffer>>> = {
  br: (body, quality) => new Uint8Array(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })),
  gzip: (body, quality) => new Uint8Array(gzipSync(body, { level: Math.min(quality, 9) })),
}

/** For a body that is sent often. */
export const compress = (body: string | Uint8Array, contentType: string): DashboardFile => ({
  contentType,
  bytes: new Uint8Array(Buffer.from(body)),
  br: compressors.br(body, 11),
  gzip: compressors.gzip(body, 9),
})

/** @param headers further ones */
export function sendEncoded(received: Received, status: number, file: DashboardFile, headers: Headers): Sent {
  const encoding = findEncoding(received, (name) => file[name] !== null)
  return {
    status,
    headers: { ...headers, ...file.headers, ...headersOf(file.contentType, encoding) },
    body: (encoding && file[encoding]) ?? file.bytes,
  }
}

/** For a body that is sent once. One with secrets must not be compressed: its length would say what they are (CVE-2013-3587). */
export function sendCompressed(received: Received, body: string, contentType: string, headers: Headers): Sent {
  const encoding = findEncoding(received, () => true)
  const sent = encoding ? compressors[encoding](body, 4) : body
  return { status: 200, headers: { ...headers, ...headersOf(contentType, encoding) }, body: sent }
}

const headersOf = (contentType: string, encoding: Encoding | undefined): Headers => ({
  'content-type': contentType,
  vary: 'Accept-Encoding',
  ...(encoding && { 'content-encoding': encoding }),
})

const findEncoding = (received: Received, has: (name: Encoding) => boolean): Encoding | undefined => {
  const accepted = headerOf(received, 'accept-encoding')
  return (['br', 'gzip'] as const).find((name) => has(name) && acceptsCoding(accepted, name))
}
