/**
 * Organizations are isolated from each other (ASVS 8.2.2, 8.4.1). Organizations, members and calls are drawn at random; a model, written
 * from the contract and not from the product, decides which rows each call may change.
 */
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import type { Answer } from '../kit/browser.ts'
import { type Call, calls, routes } from './organization-calls.ts'
import { type Change, changesBetween, mayMake } from './organization-rules.ts'
import {
  emailOf,
  type Installation,
  install,
  type Snapshot,
  users,
  type World,
  withUserIds,
  world,
} from './organization-world.ts'

const notMember = '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'
const notFound = '400 MEMBER_NOT_FOUND'
const noMember = '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'
const noActive = '400 NO_ACTIVE_ORGANIZATION'
const noPolicies = '400 TWO_FACTOR_POLICIES_ARE_NOT_ENABLED'
const noOrganization = '400 ORGANIZATION_NOT_FOUND'

/**
 * What a signed-in user gets who is not a member: of the organization that a call means, and when it means none (contract 04). Null:
 * the call depends on no organization, or returns null.
 */
const refusals: Readonly<Record<string, readonly [outsider: string | null, none: string | null]>> = {
  'POST /organization/create': [null, null],
  'POST /organization/check-slug': [null, null],
  'POST /organization/update': [notMember, noOrganization],
  'POST /organization/delete': [notMember, null],
  'POST /organization/has-permission': ['401 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', noActive],
  'POST /organization/set-active': ['403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', null],
  'GET /organization/get-full-organization': ['403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', null],
  'GET /organization/get-organization': ['403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', null],
  'GET /organization/list': [null, null],
  'GET /organization/get-active-member': [notFound, noActive],
  'GET /organization/get-active-member-role': [noMember, noActive],
  'GET /organization/list-members': [noMember, noActive],
  'GET /organization/list-memberships': [null, null],
  // Without a logo, and for others than members.
  'GET /organization/logo/:id': ['404', null],
  'GET /organization/list-roles': [noMember, noActive],
  'GET /organization/get-role': [noMember, noActive],
  'POST /organization/create-role': [noMember, '400 YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE'],
  'POST /organization/update-role': [noMember, noActive],
  'POST /organization/delete-role': [noMember, noActive],
  'GET /organization/list-events': [noMember, noActive],
  'POST /organization/add-member': ['404', '404'],
  'POST /organization/remove-member': [notFound, noActive],
  'POST /organization/update-member-role': [notFound, noActive],
  'POST /organization/leave': [notFound, null],
  'POST /organization/invite-member': [notFound, noOrganization],
  'POST /organization/check-invitations': [notFound, noOrganization],
  'POST /organization/accept-invitation': [null, null],
  'POST /organization/reject-invitation': [null, null],
  'POST /organization/cancel-invitation': [null, null],
  'GET /organization/get-invitation': [null, null],
  'GET /organization/list-invitations': [noMember, '400 ORGANIZATION_ID_IS_REQUIRED'],
  'GET /organization/list-user-invitations': [null, null],
  // The configuration permits no policies here.
  'POST /organization/set-two-factor-policy': [noPolicies, noPolicies],
  'POST /organization/send-two-factor-reminders': [noPolicies, noPolicies],
  'POST /organization/create-team': ['403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION', noActive],
  'POST /organization/remove-team': ['403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM', noActive],
  'POST /organization/update-team': ['403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM', noActive],
  'GET /organization/list-teams': ['403 FORBIDDEN', noActive],
  'POST /organization/add-team-member': [notMember, noActive],
  'POST /organization/remove-team-member': [notMember, noActive],
  // These depend on a team.
  'GET /organization/list-team-members': [null, null],
  'GET /organization/list-user-teams': [null, null],
  'POST /organization/set-active-team': [null, null],
}

const notRecipient = ['403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION', '400 INVITATION_NOT_FOUND'] as const

/** Where the contract lets the response depend on something of another organization: with its id or slug, and with an unknown one. */
const exceptions: Readonly<Record<string, readonly [existing: string, unknown: string]>> = {
  'POST /organization/check-slug': ['400 SLUG_IS_TAKEN', '200'],
  'POST /organization/create': ['400 ORGANIZATION_ALREADY_EXISTS', '200'],
  'POST /organization/update': ['400 ORGANIZATION_ALREADY_EXISTS', '200'],
  'POST /organization/accept-invitation': notRecipient,
  'POST /organization/reject-invitation': notRecipient,
  'GET /organization/get-invitation': notRecipient,
  'POST /organization/cancel-invitation': [notFound, '400 INVITATION_NOT_FOUND'],
}

test('every call has its refusal for those who are not members', () => {
  expect(Object.keys(refusals).sort()).toEqual(Object.keys(routes).sort())
})

const outcomeOf = ({ status, body }: Answer): string => [status, status >= 400 && body?.code].filter(Boolean).join(' ')
const numbers = Array.from({ length: users }, (_, person) => person)

/** What exists, but not for the client: organizations, and users whom they do not share one with. */
interface Foreign {
  readonly organizations: ReadonlySet<string>
  readonly users: ReadonlySet<number>
}

function foreignOf(
  { userIds }: Installation,
  { organization = [], member = [], invitation = [] }: Snapshot,
  caller: number | null,
): Foreign {
  const callerId = userIds[caller ?? -1]
  const own = member.filter(({ userId }) => userId === callerId).map(({ organizationId }) => organizationId)
  const isInvited = (id: unknown) =>
    invitation.some(({ organizationId, email }) => organizationId === id && caller !== null && email === emailOf(caller))
  const known = (person: number) =>
    member.some(({ userId, organizationId }) => userId === userIds[person] && own.includes(organizationId)) ||
    invitation.some(
      ({ email, inviterId, organizationId }) =>
        (own.includes(organizationId) || isInvited(organizationId)) &&
        (email === emailOf(person) || inviterId === userIds[person]),
    )
  const foreign = organization.map(({ id }) => id as string).filter((id) => !own.includes(id) && !isInvited(id))
  return { organizations: new Set(foreign), users: new Set(numbers.filter((person) => person !== caller && !known(person))) }
}

/** The same text with ids, slugs and email addresses that do not exist, in the same order, for those of others. */
const replaceForeign = ({ userIds }: Installation, { organizations, users }: Foreign, text: string): string =>
  text
    .replaceAll(/\bo\d\b/g, (id) => (organizations.has(id) ? `${id}x` : id))
    .replaceAll(/person-(\d)@/g, (email, person) => (users.has(Number(person)) ? `absent-${person}@` : email))
    .replaceAll(/\b[a-zA-Z0-9]{32}\b/g, (id) => (users.has(userIds.indexOf(id)) ? `${id.slice(0, -1)}-` : id))

/** Without ids that a call has drawn. */
const comparable = (kit: Installation, foreign: Foreign, value: unknown): string =>
  replaceForeign(kit, foreign, JSON.stringify(value)).replaceAll(/\b[a-zA-Z0-9]{32}\b/g, (id) =>
    kit.userIds.includes(id) ? id : 'drawn',
  )

interface Effect {
  readonly answer: Answer
  readonly changes: readonly Change[]
  readonly after: Snapshot
}

async function makeCall(kit: Installation, before: Snapshot, { caller, key }: Call, input: object): Promise<Effect> {
  const answer = await kit.call(caller, key, input)
  const after = await kit.snapshot()
  return { answer, changes: changesBetween(before, after), after }
}

/** @returns undefined when the model does not know; it knows each refusal because of the organization itself */
function refusalOf(kit: Installation, before: Snapshot, { caller, key }: Call, input: Call['input']): string | undefined {
  const { body = {}, query = {} } = input as Record<string, { organizationId?: string | null; organizationSlug?: string }>
  if (key.endsWith('/add-member')) return '404'
  if (caller === null) return '401'
  const { organizationId, organizationSlug } = { ...body, ...query, ...(body as { data?: object }).data }
  if (key.endsWith('/set-active') && organizationId === null && !organizationSlug) return '200'
  const takesSlug = key.startsWith('GET') || key.endsWith('/set-active')
  const bySlug = before.organization?.find(({ slug }) => slug === organizationSlug)?.id
  const named = takesSlug && organizationSlug && (bySlug ?? 'unknown')
  const active = before.session?.find(({ userId }) => userId === kit.userIds[caller])?.activeOrganizationId
  const meant = named || organizationId || active
  const isMember = before.member?.some((row) => row.organizationId === meant && row.userId === kit.userIds[caller])
  const [outsider, none] = refusals[key] ?? [null, null]
  return (meant ? !isMember && outsider : none) || undefined
}

/** Nothing of an organization of others is in a response. */
function expectNothingForeign(kit: Installation, foreign: Foreign, input: object, { body }: Answer): void {
  const sent = JSON.stringify(input)
  const found = JSON.stringify(body)?.match(/\bo\d\b|person-\d@/g) ?? []
  const revealed = found.filter((text) => replaceForeign(kit, foreign, text) !== text && !sent.includes(text))
  expect(revealed).toEqual([])
}

async function checkCall(kit: Installation, call: Call): Promise<void> {
  const before = await kit.snapshot()
  const input = withUserIds(kit, call.input)
  const foreign = foreignOf(kit, before, call.caller)
  const first = await makeCall(kit, before, call, input)
  const { answer, changes, after } = first
  expect(answer.status).toBeLessThan(500)
  if (answer.status >= 400) expect(changes.filter(({ table }) => table !== 'session')).toEqual([])
  const refusal = refusalOf(kit, before, call, input)
  if (refusal && answer.body?.code !== 'VALIDATION_ERROR') expect(outcomeOf(answer)).toMatch(refusal)
  const caller = call.caller === null ? null : { id: kit.userIds[call.caller] ?? '', email: emailOf(call.caller) }
  for (const change of changes) expect([change, mayMake(change, { caller, before, after, changes })]).toEqual([change, true])
  expectNothingForeign(kit, foreign, input, answer)
  const unknown = JSON.parse(replaceForeign(kit, foreign, JSON.stringify(input)))
  if (JSON.stringify(unknown) === JSON.stringify(input)) return
  await kit.restore(before)
  const second = await makeCall(kit, before, call, unknown)
  await kit.restore(after)
  const outcomes = [outcomeOf(answer), outcomeOf(second.answer)]
  if (JSON.stringify(outcomes) === JSON.stringify(exceptions[call.key])) return
  const described = ({ answer: { status, body }, changes: made }: Effect) => ({
    outcome: status,
    body: comparable(kit, foreign, body ?? null),
    changes: made.map((change) => comparable(kit, foreign, change)).sort(),
  })
  expect(described(first)).toEqual(described(second))
}

test('no call changes or reveals anything of an organization in which its user has no permission', async () => {
  const kit = await install()
  const check = async (drawn: World, made: readonly Call[]) => {
    await kit.set(drawn)
    const others = await kit.otherRows()
    for (const call of made) await checkCall(kit, call)
    expect(await kit.otherRows()).toEqual(others)
  }
  const property = fc.asyncProperty(world, fc.array(calls(kit), { minLength: 1, maxLength: 16, size: 'max' }), check)
  // Fewer on database servers, where each takes longer.
  await fc.assert(property, { numRuns: Number(process.env.RUNS ?? (inject('servers') === null ? 120 : 40)) })
}, 240_000)
