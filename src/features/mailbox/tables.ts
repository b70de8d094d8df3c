import { id, index, string, text, timestamp } from '../../core/table.ts'

export const tables = {
  caughtMail: {
    id: id(),
    kind: string({ length: 64 }),
    recipient: string({ length: 320 }),
    subject: text(),
    text: text(),
    html: text(),
    createdAt: timestamp(),
  },
}

export const indexes = { caughtMail: [index('createdAt')] }
