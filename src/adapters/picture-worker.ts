/**
 * A thread that decodes one picture and makes a small one of it. The codecs are WebAssembly: a picture that was made to break one
 * breaks its memory only, and that of this thread.
 */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PictureHead } from '../lib/image.ts'

export interface PictureOrder {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: PictureHead['type']
  /** Of the square that is made, in pixels. */
  readonly size: number
}

interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/** The codecs are written for browsers, which have it. */
function Image(this: object, data: Pixels['data'], width: number, height: number) {
  Object.assign(this, { data, width, height })
}

/** Without a bundler, a codec does not find its own file. */
const read = (file: string) => readFile(new URL(import.meta.resolve(file)))

const decoders: Readonly<Record<PictureHead['type'], (bytes: ArrayBuffer) => Promise<Pixels>>> = {
  jpeg: async (bytes) => {
    const { default: decode, init } = await import('@jsquash/jpeg/decode.js')
    await init({ wasmBinary: await read('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm') })
    // Phones store how the camera was held.
    return decode(bytes, { preserveOrientation: true })
  },
  png: async (bytes) => {
    const { default: decode, init } = await import('@jsquash/png/decode.js')
    await init(await read('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
    return decode(bytes)
  },
  webp: async (bytes) => {
    const { default: decode, init } = await import('@jsquash/webp/decode.js')
    await init({ wasmBinary: await read('@jsquash/webp/codec/dec/webp_dec.wasm') })
    return decode(bytes)
  },
}

/** The middle of the picture as a square. Nothing of the file is left, such as where it was taken. */
async function makeSquare({ bytes, type, size }: PictureOrder): Promise<ArrayBuffer> {
  const pixels = await decoders[type](bytes.slice().buffer)
  const { default: resize, initResize } = await import('@jsquash/resize')
  await initResize(await read('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))
  const shape = { width: size, height: size, fitMethod: 'contain', method: 'catrom', linearRGB: false } as const
  const square = await resize(pixels, shape)
  const { default: encode, init } = await import('@jsquash/webp/encode.js')
  await init({ wasmBinary: await read('@jsquash/webp/codec/enc/webp_enc_simd.wasm') })
  return encode(square, { quality: 82 })
}

Object.assign(globalThis, { ImageData: Image })
parentPort?.postMessage(await makeSquare(workerData))
