/** The longest files first: a worker that takes one of them last keeps the others waiting. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By their time on a quiet machine; Vitest knows times only where it has run before. */
const longest = [
  'browser/accessibility-admin',
  'browser/accessibility-organizations',
  'browser/accessibility-hosted',
  'browser/accessibility-account',
  'daemon/reload',
  'daemon/start',
  'daemon/migrations',
  'daemon/workers',
  'contract/races',
  'browser/hosted',
  'browser/events',
  'browser/invitations',
  'faults/database',
  'browser/organizations',
  'faults/audit',
  'browser/social-sign-in',
  'contract/routes',
  'daemon/connections',
  'cli/process',
  'contract/response-times',
  'browser/admin',
  'cli/users',
  'daemon/dev',
  'contract/enumeration',
  'daemon/logs',
  'browser/account',
  'browser/account-sessions',
  'daemon/jobs',
  'migrations/killed',
  'quickstart/next',
  'migrations/failures',
  'cli/seed',
  'cli/import',
  'kit/servers/keeper',
  'mail/outbox',
  'janitor/load',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const position = longest.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
  return position < 0 ? longest.length : position
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // Projects stay in their order.
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((one) =>
      sorted.filter(({ project }) => project === one).sort((left, right) => rank(left) - rank(right)),
    )
  }
}
