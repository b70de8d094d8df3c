import { describe, expect, test } from 'vitest'
import { isWOFF2, readImage, readPictureHead } from './image.ts'

const bytesOf = (text: string, ...more: readonly number[]) => Uint8Array.from([...Buffer.from(text, 'latin1'), ...more])
const svg = (text: string) => readImage(new TextEncoder().encode(text))
const filled = (bytes: Uint8Array) => Uint8Array.from([...bytes, ...new Uint8Array(40)])

describe('the format and the ratio of', () => {
  test.each([
    ['PNG', filled(bytesOf('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 0, 0, 1, 0, 0, 0, 0, 64)), 'image/png', 4],
    // An application segment before the frame.
    ['JPEG', filled(bytesOf('\xff\xd8', 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 17, 8, 0, 50, 0, 100)), 'image/jpeg', 2],
    ['lossy WebP', filled(bytesOf('RIFF\0\0\0\0WEBPVP8 \0\0\0\0', 0, 0, 0, 0x9d, 1, 0x2a, 30, 0, 10, 0)), 'image/webp', 3],
    ['lossless WebP', filled(bytesOf('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f', 3, 0x40, 0, 0)), 'image/webp', 2],
    ['extended WebP', filled(bytesOf('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0', 9, 0, 0, 4, 0, 0)), 'image/webp', 2],
    ['ICO', filled(bytesOf('\0\0\x01\0\x01\0', 0, 128)), 'image/x-icon', 2],
    ['JPEG without a frame', filled(bytesOf('\xff\xd8\xff\xd9')), 'image/jpeg', null],
  ])('%s', (_name, bytes, type, ratio) => {
    expect(readImage(bytes)).toMatchObject({ type, ratio })
  })

  test.each([
    ['<svg width="30" height="10px"/>', 3],
    ['<?xml version="1.0"?>\n<!-- of a program -->\n<!DOCTYPE svg>\n<svg viewBox="0 0 20 10"><path/></svg>', 2],
    ['<svg width="100%" viewBox="0,0,50,100">', 0.5],
    ['<svg>', null],
  ])('SVG: %s', (text, ratio) => {
    expect(svg(text)).toEqual({ type: 'image/svg+xml', extension: 'svg', ratio })
  })
})

test.each(['', '<html><svg>', 'GIF89a', '<svgx>', '\x89PNG', 'text'])('%j is not an image', (text) => {
  expect(readImage(bytesOf(text))).toBeNull()
})

test('a font is recognized', () => {
  expect([isWOFF2(bytesOf('wOF2\0')), isWOFF2(bytesOf('wOFF\0')), isWOFF2(bytesOf(''))]).toEqual([true, false, false])
})

const joined = (...parts: readonly (string | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part)))
const zeros = (count: number) => new Array<number>(count).fill(0)

const png = joined([0x89], 'PNG\r\n\u001a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 4, 0, 0, 0, 2, 0], zeros(9))
const frame = [0xff, 0xc2, 0, 17, 8, 1, 0, 2, 0, ...zeros(10)]
const jpeg = joined([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xff, 0xc4, 0, 3, 0], frame)

test.each([
  ['png', png, 1024, 512],
  ['jpeg', jpeg, 512, 256],
  ['webp', joined('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), [0x90, 0x01, 0xc8, 0x40], zeros(2)), 400, 200],
  ['webp', joined('RIFF', zeros(4), 'WEBPVP8L', zeros(4), [0x2f, 0x8f, 0xc1, 0x31, 0], zeros(8)), 400, 200],
  ['webp', joined('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [0x8f, 0x01, 0, 0xc7, 0, 0]), 400, 200],
] as const)('reads the size of a %s file', (type, file, width, height) => {
  expect(readPictureHead(file)).toEqual({ type, width, height })
})

test.each([
  ['SVG', joined('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['GIF', joined('GIF89a', zeros(40))],
  ['HTML that is called a picture', joined('<!doctype html><script>alert(1)</script>')],
  ['nothing', joined()],
  ['a cut PNG file', png.slice(0, 20)],
  ['a JPEG file without a frame', jpeg.slice(0, 14)],
  ['a JPEG file whose segments do not end', joined([0xff, 0xd8], zeros(0), [0xff, 0xe0, 0xff, 0xff], zeros(20))],
  ['a WebP file of an unknown kind', joined('RIFF', zeros(4), 'WEBPVP9 ', zeros(20))],
])('does not read %s', (_, file) => {
  expect(readPictureHead(file)).toBeNull()
})

test('ends for each cut of a file', () => {
  for (let length = 0; length <= jpeg.length; length += 1) readPictureHead(jpeg.slice(0, length))
})
