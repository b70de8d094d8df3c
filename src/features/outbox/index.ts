/**
 * Mails that go out after the answer: written in the transaction of whatever asks for them, sent and tried again afterwards, by
 * any number of daemons. Which there are, and what they say, is declared by the features that send them.
 */
import type { Config } from '../index.ts'
import { outboxJob } from './delivery.ts'
import { sweepOutbox } from './sweep.ts'

export type { MailContent } from '../../core/feature.ts'
export { checkConfig } from './config.ts'
export { listMails, type OutgoingMail, retryMails } from './mails.ts'
export { canSend, pretendMail, sendMail } from './outbox.ts'
export { indexes, tables } from './tables.ts'

/** On also without the section `mail`: the functions of the configuration need the table too. */
export const enabled = (_config: Config) => true

export const jobs = { outbox: outboxJob, sentMails: { every: 3600, run: sweepOutbox } }
