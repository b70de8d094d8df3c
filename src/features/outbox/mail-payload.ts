/**
 * What the outbox stores of an email. Rows of users and organizations can be longer than its column, so long members are left out,
 * and are read from the row again when the email is sent.
 */
import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { isRecord } from '../../lib/objects.ts'
import { cutToBytes } from '../../lib/text.ts'

/** Bytes of JSON of one member, and of all members of one row. An email address always fits. */
export const longestMember = 1024
export const longestRecord = 4096
/** Bytes of a name whose rest is left out: more than any email shows. */
export const longestName = 256

/** The members of a payload that are rows, at any depth. */
const recordNames = ['user', 'organization', 'inviter', 'invitation']
/** The member of a stored payload with the token of its short link, which is not part of its data. */
export const linkTokenKey = '$linkToken'
/** The member with the id of the user whose account the reader of a notice may lock. */
export const lockableKey = '$lockable'
/** Marks a row of which members were left out. */
const mark = '$isShortened'

type Payload = Readonly<Record<string, unknown>>

/** The payload with its rows shortened; their texts stay texts. */
export const shortenPayload = (data: object): Payload =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      recordNames.includes(name) && isRecord(value) ? shortenRecord(value) : value,
    ]),
  )

function shortenRecord(record: Payload): Payload {
  const kept: Record<string, unknown> = {}
  let left = longestRecord
  for (const [name, value] of Object.entries(shortenPayload(record))) {
    const isRow = recordNames.includes(name) && isRecord(value)
    const bytes = isRow ? 0 : Buffer.byteLength(JSON.stringify({ [name]: value }))
    if (bytes <= Math.min(left, longestMember)) {
      kept[name] = value
      left -= bytes
    } else {
      kept[mark] = true
      if (name === 'name') kept[name] = cutToBytes(String(value), longestName)
    }
  }
  return kept
}

/** The payload with its rows as a whole: left-out members are those that the row has now. Of a deleted row they stay absent. */
export async function completePayload(app: App, data: Payload): Promise<Payload> {
  const whole = Object.entries(data).map(async ([name, value]) => [
    name,
    recordNames.includes(name) && isRecord(value) ? await completeRecord(app, name, value) : value,
  ])
  return Object.fromEntries(await Promise.all(whole))
}

async function completeRecord(app: App, kind: string, stored: Payload): Promise<Payload> {
  const { [mark]: isShortened, ...kept } = await completePayload(app, stored)
  if (isShortened !== true) return kept
  const { members } = await emit(app, 'mail.row-shortened', { kind, id: String(kept.id) })
  return { ...members, ...kept, ...(members && { name: members.name }) }
}
