/** The longest files first: a worker that takes one of them last keeps the others waiting. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Many short files: started last, so that all workers end at about the same time. A worker restarts for another project. */
const lastProject = 'unit'

/** By their time on a quiet machine; Vitest knows times only where it has run before. */
const longest = [
  'browser/accessibility-admin',
  'browser/accessibility-organizations',
  'browser/accessibility-hosted',
  'browser/accessibility-account',
  'browser/admin',
  'browser/invitations',
  'browser/events',
  'browser/hosted',
  'browser/organizations',
  'browser/accessibility-components',
  'browser/social-sign-in',
  'browser/account',
  'browser/account-sessions',
  'daemon/reload',
  'daemon/workers',
  'daemon/start',
  'lists/bounds',
  'daemon/migrations',
  'contract/races',
  'faults/audit',
  'daemon/dev',
  'daemon/deploy-order',
  'cli/users',
  'faults/database',
  'cli/process',
  'clients/generated',
  'daemon/shared-database',
  'migrations/interrupted',
  'daemon/logs',
  'cli/import',
  'daemon/connections',
  'daemon/jobs',
  'architecture/access',
  'architecture/snippets',
  'contract/enumeration',
  'contract/routes',
  'social-sign-in/lenient-profiles',
  'http/growth',
  'lib/imported-hashes',
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

/** Tests in a browser keep a core busy, and most others wait: spread over the whole run, they share the machine well. */
function spreadBrowsers(files: readonly TestSpecification[]): TestSpecification[] {
  const usesBrowser = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/tests/browser/')
  const placed = (list: readonly TestSpecification[]) => list.map((file, position) => ({ file, at: position / list.length }))
  const all = [...placed(files.filter(usesBrowser)), ...placed(files.filter((file) => !usesBrowser(file)))]
  return all.sort((left, right) => left.at - right.at).map(({ file }) => file)
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
      spreadBrowsers(sorted.filter(({ project }) => project === one).sort((left, right) => rank(left) - rank(right))),
    )
  }
}
