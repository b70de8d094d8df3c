/** A table of users (RFC 4180), which spreadsheets and `latchkey move from-csv` read. */
import type { Line } from '../lines.ts'
import type { Members } from '../row-forms.ts'
import { type Losses, leaveLine, leaveParts, listOf, objectOf, type Writer } from './writer.ts'

const plain = ['id', 'email', 'emailVerified', 'name', 'image', 'username', 'phoneNumber', 'phoneNumberVerified', 'role']
const later = ['banned', 'banReason', 'banExpires', 'createdAt', 'updatedAt', 'lastSignInAt']
const columns = [...plain, ...later, 'password', 'totpSecret']

const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const row = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`

function cellOf(user: Line, fields: Members, name: string): unknown {
  if (name === 'password') return objectOf(user.password).hash
  if (name === 'totpSecret') return objectOf(user.totp).secret
  return columns.includes(name) ? user[name] : fields[name.replace(/^fields\./, '')]
}

/** @param fields names in `user.additionalFields` */
export function writeCSV(losses: Losses, fields: readonly string[]): Writer {
  const names = [...columns, ...fields.map((name) => `fields.${name}`)]
  return {
    start: row(names),
    write: (line) => {
      if (line.type !== 'user') return leaveLine(line, losses)
      leaveParts(line, { totp: true }, losses)
      losses.add('social accounts: a table has one row for each user', listOf(line.accounts).length)
      const { digits = 6, period = 30, algorithm = 'SHA1' } = objectOf(line.totp)
      if (digits !== 6 || period !== 30 || algorithm !== 'SHA1')
        losses.add('settings of authenticator apps: the table has six digits, 30 seconds and SHA-1')
      const own = objectOf(line.fields)
      return row(names.map((name) => cellOf(line, own, name)))
    },
    end: '',
  }
}
