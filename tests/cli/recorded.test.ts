/** Each command that changes something records it in the audit log, once. */
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { latchkey } from './kit.ts'
import { options, places } from './projects.ts'

const passphrase = 'a perfectly fine passphrase\n'
const line = JSON.stringify({ user: { name: 'Eve', email: 'eve@example.com' }, accounts: [] })

/** In this order; with the events of each. */
const steps: readonly (readonly [command: string, actions: readonly string[], input?: string])[] = [
  ['seed --yes', ['role.created']],
  ['users create --email ann@example.com --name Ann --password-stdin', ['user.created'], passphrase],
  ['users create --email bob@example.com --name Bob', ['setup-link.created', 'user.created']],
  ['users update ann@example.com --name Anna --verified', ['user.email-verified', 'user.updated']],
  ['users set-role ann@example.com admin', ['user.role-changed']],
  ['users set-password ann@example.com --password-stdin', ['password.set'], `another ${passphrase}`],
  ['users ban bob@example.com --reason spam', ['user.banned']],
  ['users unban bob@example.com', ['user.unbanned']],
  ['users lock bob@example.com --reason stolen --yes', ['user.locked']],
  ['users unlock bob@example.com', ['user.unlocked']],
  ['orgs create Acme --owner ann@example.com', ['organization.created']],
  ['orgs add-member acme bob@example.com', ['member.added']],
  ['orgs remove-member acme bob@example.com --yes', ['member.removed']],
  ['orgs delete acme --confirm acme', ['organization.deleted']],
  ['limits clear --account ann@example.com', ['limits.reset']],
  ['keys rotate', ['signing-key.created']],
  ['keys list', []],
  ['import users users.ndjson', ['users.imported']],
  ['privacy export ann@example.com --out ann.json', ['user.exported']],
  ['users delete bob@example.com --confirm bob@example.com', ['user.deleted']],
  ['privacy erase ann@example.com --confirm ann@example.com', ['user.erased']],
  ['users list', []],
  ['orgs list', []],
]

test('each change is recorded once, as one of the operator', { timeout: 120_000 }, async () => {
  const { cwd, env } = await places.SQLite({ ...options, admin: { enabled: true }, organization: { enabled: true }, jwt: true })
  writeFileSync(`${cwd}/users.ndjson`, `${line}\n`)
  const known = new Set<unknown>()
  const recorded = () => {
    const db = new DatabaseSync(env.DATABASE_URL?.replace('sqlite:.', cwd) ?? '')
    const rows = db.prepare('select id, action, actorKind, outcome from auditEvent').all()
    db.close()
    const added = rows.filter(({ id }) => !known.has(id))
    for (const { id } of added) known.add(id)
    return added.map(({ action, actorKind, outcome }) => `${actorKind} ${outcome} ${action}`).sort()
  }
  for (const [command, actions, input] of steps) {
    const { exitCode, stderr } = await latchkey(cwd, command.split(' '), env, input === undefined ? {} : { input })
    expect([command, exitCode, exitCode === 0 ? '' : stderr]).toEqual([command, 0, ''])
    expect([command, recorded()]).toEqual([command, actions.map((action) => `operator succeeded ${action}`)])
  }
})
