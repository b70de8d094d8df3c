/** Pieces of the schemas of commands. Values come as texts. */
import type { Zod } from './command.ts'

/** A flag without a value. */
export const flag = (z: Zod) => z.boolean().default(false)

/** A whole number from `least` to `most`. */
export const wholeNumber = (z: Zod, least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `expected a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `expected a whole number from ${least} to ${most}`)

/** A time in seconds, up to a day. */
export const seconds = (z: Zod) => wholeNumber(z, 0, 86_400)

/** For the commands that use the database. */
export const waitForDatabaseOption = {
  flags: '--wait-for-db <seconds>',
  description: 'Wait this long for a database that does not answer yet; default: 0',
}

export const lockTimeoutOption = {
  flags: '--lock-timeout <seconds>',
  description: 'Wait this long while another run holds the lock; default: 60',
}
