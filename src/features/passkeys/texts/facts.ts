/** What notices of passkeys have in common in every language. */
import type { TextContext } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import { knownFacts } from '../../second-factor/index.ts'
import type { AddedNotice, ClonedNotice } from '../mails.ts'

/** @param labels of the name of the passkey, of its authenticator, and of the time */
export const passkeyFacts = (
  { name, provider, time }: ClonedNotice,
  context: TextContext,
  labels: readonly [name: string, provider: string, time: string],
) =>
  knownFacts([
    [labels[0], name === null ? null : nameInMail(name)],
    [labels[1], provider],
    [labels[2], context.time(time)],
  ])

/** @param on the word between program and system, such as `on` in `Chrome 142 on Windows` */
export const deviceFact = ({ device }: AddedNotice, label: string, on: string) =>
  knownFacts([[label, device === null ? null : nameInMail(device.replace(' on ', ` ${on} `))]])
