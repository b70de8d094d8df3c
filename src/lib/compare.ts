import { timingSafeEqual } from 'node:crypto'

/** Compares two texts in a time that depends on their lengths only. */
export function equalInConstantTime(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}
