/** Files of pictures, made here: no test needs the network or a file. */
import { deflateSync } from 'node:zlib'

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const checksum = content.reduce((crc, byte) => (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0), 0xffffffff) ^ 0xffffffff
  const [length, end] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  end.writeUInt32BE(checksum >>> 0)
  return Buffer.concat([length, content, end])
}

/** A PNG file of one color (RFC 2083). @param text is stored in the file, as the place is where a photo was taken */
export function png(width: number, height: number, color: readonly [number, number, number] = [200, 40, 40], text = 'Graz') {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.from(Array.from({ length: width }, () => color).flat())])
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const parts = [
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`place\0${text}`)),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), ...parts]))
}

export const dataURL = (bytes: Uint8Array, type = 'image/png'): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
