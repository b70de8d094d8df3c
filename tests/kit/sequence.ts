/** The longest files first: a worker that takes one of them last keeps the others waiting. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By their time on a quiet machine; Vitest knows times only where it has run before. */
const longest = [
  'browser/accessibility',
  'browser/hosted',
  'browser/account',
  'browser/account-sessions',
  'daemon/workers',
  'daemon/reload',
  'migrations/killed',
  'cli/import',
  'faults/database',
  'daemon/dev',
  'daemon/start',
  'contract/enumeration',
  'kit/servers/keeper',
  'daemon/jobs',
  'contract/races',
  'cli/users',
  'cli/seed',
  'janitor/load',
  'clients/browser',
  'mail/outbox',
  'migrations/failures',
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
