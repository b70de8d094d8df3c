/** Calls of organizations for properties: the input of each is drawn by its schema, so that a new call or field is drawn too. */
import fc from 'fast-check'
import { z } from 'zod'
import { resolveSchema } from '../../src/core/route.ts'
import { featureList } from '../../src/features/index.ts'
import type { TestApp } from '../kit/app.ts'
import { emailOf, person, role, users } from './organization-world.ts'

export const routes = Object.fromEntries(
  Object.values(featureList).flatMap(({ routes: declared = {} }) =>
    Object.entries(declared).filter(([key]) => key.includes(' /organization/')),
  ),
)

/** Those that give rights to others are called more often. */
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(routes)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...['invite-member', 'update-member-role'].map((name) => `POST /organization/${name}`)),
  },
)

/** `user-1` stands for the id of a user. */
export const calls = (kit: Pick<TestApp, 'app'>): fc.Arbitrary<Call> =>
  fc.tuple(key, fc.nat(2), fc.option(person, { freq: 15 })).chain(([key, home, caller]) => {
    const { params, query, body } = routes[key]?.declaration ?? {}
    const schema = (given: typeof query) => {
      const resolved = resolveSchema(given, kit.app.config, {}, [])
      return resolved ? drawn(resolved, key, home) : fc.constant(undefined)
    }
    return fc
      .record({ params: schema(params), query: schema(query), body: schema(body) })
      .map((input) => ({ caller, key, input }))
  })

export interface Call {
  /** Null: signed out. */
  readonly caller: number | null
  readonly key: string
  readonly input: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }
}

function drawn(schema: z.core.$ZodType, name: string, home: number): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return fc.option(drawn(schema.unwrap(), name, home), { nil: undefined, freq: 3 })
  if (schema instanceof z.ZodNullable) return fc.option(drawn(schema.unwrap(), name, home), { freq: 8 })
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNumber) return fc.integer({ min: 1, max: 3 })
  if (schema instanceof z.ZodObject)
    return fc.record(Object.fromEntries(Object.entries(schema.shape).map(([key, value]) => [key, drawn(value, key, home)])))
  const known = fields(home)[name]
  if (!known) throw new Error(`Add values for the field ${name} to organization-world.ts.`)
  return known
}

/** Mostly ids of one organization, so that they fit together; o4 does not exist. */
function fields(home: number): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const organization = fc
    .oneof({ weight: 4, arbitrary: fc.constant(home) }, { weight: 1, arbitrary: fc.nat(4) })
    .map((n) => `o${n}`)
  const row = (kind: string, last = 1) => fc.tuple(organization, fc.nat(last)).map(([id, number]) => `${id}-${kind}${number}`)
  const userId = person.map((number) => `user-${number}`)
  const email = fc.nat(users + 3).map(emailOf)
  const id = fc.oneof(organization, row('m', 2), row('t'), row('i'), userId)
  const permissions = fc.constantFrom({ member: ['update'] }, { organization: ['delete'] }, {})
  return {
    organizationId: organization,
    organizationSlug: organization.map((text) => `${text}-slug`),
    slug: organization.map((text) => `${text}-slug`),
    memberId: row('m', 2),
    memberIdOrEmail: fc.oneof(row('m', 2), email),
    teamId: row('t'),
    invitationId: row('i'),
    id: row('i'),
    userId,
    email,
    emails: fc.array(email, { maxLength: 3 }),
    role,
    roleName: fc.constantFrom('auditor', 'admin', 'unknown'),
    roleId: row('r'),
    name: fc.constant('New name'),
    logo: fc.constant('https://example.com/logo.png'),
    metadata: fc.constant({ plan: 'pro' }),
    permission: permissions,
    permissions,
    graceDays: fc.nat(3),
    showAdministrators: fc.boolean(),
    limit: fc.integer({ min: 1, max: 3 }),
    offset: fc.nat(2),
    membersLimit: fc.integer({ min: 1, max: 3 }),
    after: id,
    cursor: fc.constantFrom(Buffer.from('[4102444800000,""]').toString('base64url'), 'unknown'),
    action: fc.constantFrom('member.joined', 'member.removed,invitation.created'),
    outcome: fc.constantFrom('succeeded', 'denied,failed'),
    newer: fc.constantFrom('true', 'false'),
    search: fc.oneof(id, email, fc.constant('o')),
    filterValue: id,
  }
}
