/** The longest files first: a worker that takes one of them last keeps the others waiting. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Many short files: started last, so that all workers end at about the same time. A worker restarts for another project. */
const lastProject = 'unit'

/** By their time on a quiet machine; Vitest knows times only where it has run before. */
const longest = [
  'browser/accessibility-admin',
  'daemon/reload',
  'daemon/workers',
  'daemon/start',
  'browser/accessibility-organizations',
  'lists/bounds',
  'daemon/migrations',
  'browser/accessibility-hosted',
  'browser/accessibility-account',
  'contract/races',
  'browser/admin',
  'browser/invitations',
  'faults/audit',
  'browser/events',
  'architecture/access',
  'daemon/dev',
  'daemon/deploy-order',
  'browser/hosted',
  'cli/users',
  'faults/database',
  'cli/process',
  'clients/generated',
  'browser/organizations',
  'browser/accessibility-components',
  'daemon/shared-database',
  'migrations/interrupted',
  'daemon/logs',
  'cli/import',
  'architecture/snippets',
  'browser/social-sign-in',
  'daemon/connections',
  'contract/enumeration',
  'contract/routes',
  'social-sign-in/lenient-profiles',
  'http/growth',
  'lib/imported-hashes',
  'browser/account',
  'browser/account-sessions',
  'daemon/jobs',
  'migrations/killed',
  'quickstart/next',
  'migrations/failures',
  'cli/seed',
  'kit/servers/keeper',
  'mail/outbox',
  'janitor/load',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const position = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return position < 0 ? longest.length : position
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    const ordered = [
      ...projects.filter(({ name }) => name !== lastProject),
      ...projects.filter(({ name }) => name === lastProject),
    ]
    return ordered.flatMap((one) =>
      sorted.filter(({ project }) => project === one).sort((left, right) => rank(left) - rank(right)),
    )
  }
}
