/** From where a link or a code was asked for, as the email with it says. */
import { type App, callOf } from '../../core/app.ts'
import type { MailContent, TextContext } from '../../core/message.ts'
import { describeDevice, userAgentOf } from '../../lib/device.ts'
import { nameInMail } from '../../lib/mail-name.ts'

export interface Requester {
  /** ISO 8601. */
  readonly time: string
  /** Such as `Chrome 142 on Windows`; null when the client does not say. */
  readonly device: string | null
  readonly ipAddress: string | null
}

export function requesterOf(app: App): Requester {
  const ctx = callOf(app)
  const { program, system } = describeDevice(ctx && userAgentOf(ctx.request))
  const device = [program, system].filter(Boolean).join(' on ').slice(0, 100) || null
  return { time: app.now().toISOString(), device, ipAddress: ctx?.request.address() || null }
}

/** For previews of emails. */
export const exampleRequester = ({ now }: Pick<App, 'now'>): Requester => ({
  time: now().toISOString(),
  ...{ device: 'Chrome 142 on Windows', ipAddress: '203.0.113.24' },
})

/** The words of a language for `requesterFacts`. */
export interface RequesterWords {
  readonly requested: string
  readonly device: string
  readonly ipAddress: string
  /** Between program and system: `Chrome 142 on Windows`. */
  readonly on: string
}

export const requesterFacts = (
  { time, device, ipAddress }: Requester,
  context: TextContext,
  words: RequesterWords,
): NonNullable<MailContent['facts']> => [
  [words.requested, context.time(time)],
  ...(device ? [[words.device, nameInMail(device.replace(' on ', ` ${words.on} `))] as const] : []),
  ...(ipAddress === null ? [] : [[words.ipAddress, ipAddress] as const]),
]
