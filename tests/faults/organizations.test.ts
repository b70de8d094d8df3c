/** `kill -9` of the daemon while members join and are removed: what it has confirmed is stored, and no rule of members is broken. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { configText, createProject, type Project } from '../daemon/project.ts'
import { many } from '../kit/race.ts'

const limit = many - 10
// The owner's address is not verified: by default they send five invitation emails an hour.
const options = `organization: { enabled: true, membershipLimit: ${limit}, requireEmailVerificationOnInvitation: false,
    invitationMailLimit: { maxUnverified: ${many} } },
  rateLimit: { enabled: false }, mail: { from: 'Acme <a@example.com>', catch: true },`

type Call = (path: string, body: object) => Promise<{ readonly status: number; readonly body: Record<string, string> }>

/** A user who is signed in. A call that the killed daemon does not respond to has the status 0. */
async function signUp({ api, origin }: Project, name: string): Promise<Call> {
  let cookie = ''
  const call: Call = async (path, body) => {
    const headers = { 'content-type': 'application/json', origin: origin.replace('127.0.0.1', 'localhost'), cookie }
    try {
      const response = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
      return { status: response.status, body: (await response.json()) as Record<string, string> }
    } catch {
      return { status: 0, body: {} }
    }
  }
  expect((await call('/sign-up/email', { name, email: `${name}@example.com`, password: 'correct horse battery' })).status).toBe(
    200,
  )
  return call
}

/** The rows of the only organization, while no daemon runs or one does. */
function membersOf({ folder }: Project): ReadonlySet<string> {
  const db = new DatabaseSync(`${folder}/test.db`, { timeout: 30_000 })
  const members = db.prepare('select user.name, member.role from member join user on user.id = member.userId').all()
  const [organization] = db.prepare('select memberCount from organization').all()
  const [accepted] = db.prepare("select count(*) as count from invitation where status = 'accepted'").all()
  db.close()
  expect(organization?.memberCount).toBe(members.length)
  expect(members.length).toBeLessThanOrEqual(limit)
  expect(Number(accepted?.count)).toBeGreaterThanOrEqual(members.length - 1)
  expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1)
  return new Set(members.map(({ name }) => String(name)))
}

const start = (project: Project) => project.serve(['start', '--migrate'])

/** Sends all calls, and kills the daemon and its workers when a third of them has a response. @returns the confirmed ones, by name */
async function killAmong(project: Project, calls: ReadonlyMap<string, () => ReturnType<Call>>): Promise<ReadonlySet<string>> {
  const { pid } = project.state() ?? {}
  if (!pid) throw new Error('the daemon does not run')
  let responses = 0
  const confirmed = new Set<string>()
  const made = [...calls].map(async ([name, call]) => {
    const { status } = await call()
    responses += 1
    if (status === 200) confirmed.add(name)
    if (responses === Math.ceil(many / 3)) process.kill(-pid, 'SIGKILL')
    expect([0, 200, 403, 503]).toContain(status)
  })
  await Promise.all(made)
  return confirmed
}

test('no confirmed membership and no confirmed removal is lost', { timeout: 180_000 }, async () => {
  const project = await createProject('faults')
  project.configure(
    configText(project.port, `server: { port: ${project.port} }, database: { url: 'sqlite:./test.db' }, ${options}`),
  )
  await start(project)
  const owner = await signUp(project, 'owner')
  const { body: organization } = await owner('/organization/create', { name: 'Acme', slug: 'acme' })
  const accepting = new Map<string, () => ReturnType<Call>>()
  for (let count = 0; count < many; count += 1) {
    const name = `user${count}`
    const user = await signUp(project, name)
    const invited = await owner('/organization/invite-member', { email: `${name}@example.com`, role: 'member' })
    expect(invited.status).toBe(200)
    accepting.set(name, () => user('/organization/accept-invitation', { invitationId: invited.body.id }))
  }
  const joined = await killAmong(project, accepting)
  expect(joined.size).toBeGreaterThan(0)
  const kept = membersOf(project)
  expect([...joined].filter((name) => !kept.has(name))).toEqual([])

  await start(project)
  await Promise.all([...accepting].filter(([name]) => !membersOf(project).has(name)).map(([, accept]) => accept()))
  const members = membersOf(project)
  expect(members.size).toBe(limit)
  const organizationId = organization.id
  const remove = (name: string) => () =>
    owner('/organization/remove-member', { organizationId, memberIdOrEmail: `${name}@example.com` })
  const removed = await killAmong(
    project,
    new Map([...members].filter((name) => name !== 'owner').map((name) => [name, remove(name)])),
  )
  expect(removed.size).toBeGreaterThan(0)
  const left = membersOf(project)
  expect([...removed].filter((name) => left.has(name))).toEqual([])
})
