import { z } from 'zod'
import { type ConfigFault, group } from '../../core/config.ts'
import type { Config } from '../index.ts'

const law = (failures: number, longestDelay: number) => ({
  failures: z.int().min(1).max(1000).default(failures).describe('Failures in a row that are free of delay but for the last'),
  firstDelay: z.int().min(1).max(3600).default(1).describe('Delay after that one, in seconds; doubled with each further failure'),
  longestDelay: z.int().min(1).max(86_400).default(longestDelay).describe('Longest delay, in seconds; there is no lock'),
})

export const config = {
  attempts: group('Growing delays against guessing passwords, beside the limits by address and path', {
    enabled: z.boolean().optional().describe('Default: in production'),
    perNetwork: group('Failures for one account from one network', law(10, 900)),
    perAccount: group('Failures for one account from all networks together', law(50, 60)),
    forgetAfter: z
      .int()
      .min(60)
      .max(31_536_000)
      .default(86_400)
      .describe('Seconds without a failure after which the count begins anew'),
    deviceCookie: z
      .boolean()
      .default(false)
      .describe('Set a cookie by which a device is recognised that has signed in before, also after signing out'),
  }),
}

export function checkConfig({ attempts }: Config): ConfigFault[] {
  return (['perNetwork', 'perAccount'] as const)
    .filter((name) => attempts[name].firstDelay > attempts[name].longestDelay)
    .map((name) => ({
      id: 'attempts-delays',
      path: `attempts.${name}.firstDelay`,
      message: 'The first delay is longer than the longest.',
    }))
}
