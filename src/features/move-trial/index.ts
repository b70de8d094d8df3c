/**
 * A move that can be undone: passwords, API keys and sessions are written so that better-auth understands them again. Each is weaker than
 * what Latchkey writes otherwise, so that a trial ends after days.
 */
import type { App } from '../../core/app.ts'
import type { ConfigIssue } from '../../core/config.ts'
import type { Listeners } from '../../core/events.ts'
import { id, references, secret, text, unique } from '../../core/table.ts'
import type { Config } from '../index.ts'

export const enabled = ({ move }: Config): boolean => move.trial

/** `token` is sealed: only `latchkey move back` reads it. */
export const tables = {
  moveSession: { id: id(), sessionId: unique(references('session')), token: secret(text()) },
}

const purpose = 'move back'

export const secretUses = { movedSessions: { table: 'moveSession', column: 'token', noun: 'session of a trial' } } as const

export const on: Listeners = {
  'session.created': async (tx, { session, token }) => {
    const row = { id: tx.random.id(), sessionId: session.id, token: tx.keyring.encrypt(purpose, token) }
    await tx.db.insertInto('moveSession').values(row).execute()
  },
}

/** The tokens of sessions by their IDs. */
export async function readSessionTokens(app: App, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await app.db.selectFrom('moveSession').selectAll().where('sessionId', 'in', ids).execute()
  return new Map(rows.map(({ sessionId, token }) => [sessionId, app.keyring.decrypt(purpose, token)]))
}

export function checkConfig({ move, secret: secrets }: Config): ConfigIssue[] {
  if (!move.trial || ![secrets].flat()[1]) return []
  const message = 'better-auth knows one secret: a trial cannot have a second one'
  return [{ id: 'move-trial-secrets', path: 'secret', message, hint: 'Add the new secret after latchkey move finish.' }]
}
