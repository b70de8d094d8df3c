import { expect, test } from 'vitest'
import { png } from '../../tests/kit/pictures.ts'
import { readPictureHead } from '../lib/image.ts'
import { createPictureResizer } from './picture-resizer.ts'

const resize = createPictureResizer({ debug: () => undefined })

test('makes a small square of a picture, without what else its file has', async () => {
  const made = await resize(png(300, 120))
  expect(made && readPictureHead(made)).toEqual({ type: 'webp', width: 168, height: 168 })
  expect(Buffer.from(made ?? []).includes('Graz')).toBe(false)
  // Also of its own results.
  expect(made && readPictureHead((await resize(made)) ?? new Uint8Array())).toMatchObject({ width: 168 })
})

test('makes nothing of a broken file, and goes on', async () => {
  const whole = png(20, 20)
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 10, 0, 10, ...new Array<number>(20).fill(0)])
  expect(await Promise.all([resize(whole.slice(0, 60)), resize(jpeg)])).toEqual([null, null])
  expect(await resize(whole)).not.toBeNull()
})

test('does not decode a picture of more than 4 million pixels', async () => {
  const bomb = png(1, 1)
  new DataView(bomb.buffer).setUint32(16, 30_000)
  new DataView(bomb.buffer).setUint32(20, 30_000)
  expect(await resize(bomb)).toBeNull()
})

test('rejects pictures while too many wait', async () => {
  const resizeOne = createPictureResizer({ debug: () => undefined }, 1)
  const [first, second] = await Promise.all([resizeOne(png(2, 2)), resizeOne(png(2, 2))])
  expect([first === null, second]).toEqual([false, null])
  expect(await resizeOne(png(2, 2))).not.toBeNull()
})
