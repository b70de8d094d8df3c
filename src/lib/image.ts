/** What the first bytes of a file say: its format, and the size of an image. For servers and browsers. */

export interface Image {
  /** Media type. */
  readonly type: string
  /** Of a file name, without the dot. */
  readonly extension: string
  /** Width divided by height; null when the file does not say it. */
  readonly ratio: number | null
}

type Format = readonly [type: string, extension: string, read: (bytes: Uint8Array) => Size | null | undefined]
interface Size {
  readonly width: number
  readonly height: number
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
/** Each byte as one character. */
const latin = (bytes: Uint8Array, start: number, end: number): string => String.fromCharCode(...bytes.subarray(start, end))

/** PNG (ISO 15948): the first chunk has the size. */
function readPNG(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 33 || latin(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || latin(bytes, 12, 16) !== 'IHDR') return undefined
  return { width: view(bytes).getUint32(16), height: view(bytes).getUint32(20) }
}

/** JPEG (ITU T.81): segments with a length each; that of a frame has the size. */
function readJPEG(bytes: Uint8Array): Size | null | undefined {
  if (latin(bytes, 0, 3) !== '\xff\xd8\xff') return undefined
  const data = view(bytes)
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: data.getUint16(at + 7), height: data.getUint16(at + 5) }
    // Between segments there may be any number of these bytes.
    at += marker === 0xff ? 1 : 2 + data.getUint16(at + 2)
  }
  return null
}

/** WebP (RFC 9649): lossy, lossless and extended files each have the size in another place. */
function readWebP(bytes: Uint8Array): Size | null | undefined {
  if (bytes.length < 30 || latin(bytes, 0, 4) !== 'RIFF' || latin(bytes, 8, 12) !== 'WEBP') return undefined
  const data = view(bytes)
  const chunk = latin(bytes, 12, 16)
  if (chunk === 'VP8 ') return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff }
  const bits = data.getUint32(21, true)
  if (chunk === 'VP8L') return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  const whole = (at: number) => (data.getUint16(at, true) | (data.getUint8(at + 2) << 16)) + 1
  return chunk === 'VP8X' ? { width: whole(24), height: whole(27) } : null
}

/** An icon of Windows: the first picture is as good as the others. 0 stands for 256. */
const readICO = (bytes: Uint8Array): Size | undefined =>
  bytes.length > 22 && latin(bytes, 0, 4) === '\0\0\x01\0' ? { width: bytes[6] || 256, height: bytes[7] || 256 } : undefined

/** Before the element there may be a declaration, comments and a document type. */
const svgStart =
  /^\uFEFF?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,4000}-->\s*|<!DOCTYPE[^>[]{0,400}>\s*)*<svg(?=[\s>])([^>]*)>/i

function readSVG(bytes: Uint8Array): Size | null | undefined {
  const [, attributes] = svgStart.exec(new TextDecoder().decode(bytes.subarray(0, 16_384))) ?? []
  if (attributes === undefined) return undefined
  const value = (name: string) => new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? ''
  const length = (name: string) => Number(/^\s*([\d.]+)(?:px)?\s*$/.exec(value(name))?.[1])
  const [width, height] = [length('width'), length('height')]
  if (width > 0 && height > 0) return { width, height }
  const [, , boxWidth = 0, boxHeight = 0] = value('viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return boxWidth > 0 && boxHeight > 0 ? { width: boxWidth, height: boxHeight } : null
}

const formats: readonly Format[] = [
  ['image/png', 'png', readPNG],
  ['image/jpeg', 'jpg', readJPEG],
  ['image/webp', 'webp', readWebP],
  ['image/x-icon', 'ico', readICO],
  ['image/svg+xml', 'svg', readSVG],
]

/** @returns null for a file of another format; its size is null when the file does not say it */
function readFormat(bytes: Uint8Array) {
  for (const [type, extension, read] of formats) {
    const size = read(bytes)
    if (size !== undefined) return { type, extension, size }
  }
  return null
}

/** @returns null for what is not a PNG, JPEG, WebP, ICO or SVG image */
export function readImage(bytes: Uint8Array): Image | null {
  const found = readFormat(bytes)
  if (!found) return null
  const { type, extension, size } = found
  const isKnown = size !== null && size.width > 0 && size.height > 0
  return { type, extension, ratio: isKnown ? size.width / size.height : null }
}

export interface PictureHead extends Size {
  readonly type: 'jpeg' | 'png' | 'webp'
}

const pictureTypes: Readonly<Record<string, PictureHead['type']>> = { png: 'png', jpg: 'jpeg', webp: 'webp' }

/**
 * Reads the size that a decoder will make of a file, before anything decodes it. What the sender calls the file does not count.
 * @returns null for everything but JPEG, PNG and WebP: SVG is a document with scripts, not a picture
 */
export function readPictureHead(bytes: Uint8Array): PictureHead | null {
  const found = readFormat(bytes)
  const type = found && pictureTypes[found.extension]
  return type && found.size ? { type, ...found.size } : null
}

/** WOFF 2 (W3C). */
export const isWOFF2 = (bytes: Uint8Array): boolean => latin(bytes, 0, 4) === 'wOF2'
