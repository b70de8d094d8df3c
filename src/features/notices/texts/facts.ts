/** What notices of sign-ins have in common in every language. */
import type { MailContent, TextContext } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { SignInNotice } from '../mails.ts'

type SignInFact = 'time' | 'device' | 'ipAddress'

/** @param on the word between program and system, such as `on` in `Chrome 142 on Windows` */
export const deviceIn = (device: string | null, on: string): string =>
  device === null ? '' : nameInMail(device.replace(' on ', ` ${on} `))

/** @param names of the facts @param on see `deviceIn` */
export const signInFacts = (
  { time, device, ipAddress }: Pick<SignInNotice, SignInFact>,
  context: TextContext,
  { on, ...names }: Readonly<Record<SignInFact | 'on', string>>,
): NonNullable<MailContent['facts']> => [
  [names.time, context.time(time)],
  ...(device === null ? [] : [[names.device, deviceIn(device, on)] as const]),
  ...(ipAddress === null ? [] : [[names.ipAddress, ipAddress] as const]),
]

/** The email address of the support, if there is one. */
export const supportOf = ({ config }: TextContext): string | undefined => config.dashboard.branding.supportEmail
