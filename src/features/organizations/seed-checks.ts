/** Checks the organizations that the configuration declares in `seed.organizations`. */
import type { ConfigIssue } from '../../core/config.ts'
import { listedNames } from '../../lib/text.ts'
import type { Config } from '../index.ts'
import { configuredRoles } from './permissions.ts'
import { permitsPolicies } from './second-factor-policy.ts'

export type Declared = Config['seed']['organizations'][number]

/** Of the owner, then of the members. */
export const emailsOf = ({ owner, members }: Declared): string[] =>
  [owner, ...members.map(({ email }) => email)].map((email) => email.toLowerCase())

/** Rules between the declared organizations, and with the options of organizations. */
export function checkSeed(config: Config): ConfigIssue[] {
  const { organization, seed } = config
  const slugs = seed.organizations.map(({ slug }) => slug)
  return seed.organizations.flatMap((declared, position) => {
    const path = `seed.organizations.${position}`
    const isKnown = (role: string) =>
      !organization.checkRoles || [configuredRoles(config), seed.roles].some((roles) => Object.hasOwn(roles, role))
    const emails = emailsOf(declared)
    const issues: ConfigIssue[] = []
    if (slugs.indexOf(declared.slug) !== position)
      issues.push({ id: 'seed-organization-twice', path: `${path}.slug`, message: 'Duplicate slug.' })
    if (declared.teams.length > 0 && !organization.teams.enabled) {
      const hint = 'Set organization.teams.enabled.'
      issues.push({ id: 'seed-organization-teams', path: `${path}.teams`, message: 'Teams are disabled.', hint })
    }
    if (declared.twoFactor && !permitsPolicies(config)) {
      const [message, hint] = [
        'Organizations may not require second factors.',
        'Add { organizations: true } to twoFactor.required.',
      ]
      issues.push({ id: 'seed-organization-two-factor', path: `${path}.twoFactor`, message, hint })
    }
    declared.teams.forEach((team, at) => {
      if (declared.teams.indexOf(team) !== at)
        issues.push({ id: 'seed-team-twice', path: `${path}.teams.${at}`, message: 'Duplicate name.' })
    })
    declared.members.forEach((member, at) => {
      issues.push(...checkMember(member, `${path}.members.${at}`, { declared, isKnown }))
      // The owner is the first of them.
      if (emails.indexOf(member.email.toLowerCase()) !== at + 1)
        issues.push({ id: 'seed-member-twice', path: `${path}.members.${at}.email`, message: 'Duplicate email address.' })
    })
    return issues
  })
}

interface MemberRules {
  readonly declared: Declared
  readonly isKnown: (role: string) => boolean
}

function checkMember({ role, team }: Declared['members'][number], path: string, { declared, isKnown }: MemberRules) {
  const issues: ConfigIssue[] = listedNames(role)
    .filter((name) => !isKnown(name))
    .map((name) => {
      const hint = 'Declare it in organization.roles or seed.roles.'
      return { id: 'seed-member-role', path: `${path}.role`, message: `There is no role "${name}".`, hint }
    })
  if (team !== undefined && !declared.teams.includes(team)) {
    const hint = 'Declare it in the teams of the organization.'
    issues.push({ id: 'seed-member-team', path: `${path}.team`, message: `There is no team "${team}".`, hint })
  }
  return issues
}
