/** Workflows of this repository and of new projects, checked by the parser of GitHub. No workflow can run here. */
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageFiles } from '../../src/cli/init/package-files.ts'
import { root } from './source.ts'

// The published parser imports its schema without the attribute that Node requires.
const hook = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.min.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
hook.deregister()

const own = globSync('.github/workflows/*.yml', { cwd: root }).map(
  (path) => [path, readFileSync(join(root, path), 'utf8')] as const,
)
const ofProject = (databaseUrl: string): string =>
  packageFiles('/accounts', { databaseUrl, redisUrl: '' })['.github/workflows/latchkey.yml'] ?? ''
const workflows = [
  ...own,
  ['of a project with SQLite', ofProject('sqlite:./latchkey.db')],
  ['of a project with MySQL', ofProject('mysql://latchkey:secret@127.0.0.1:3306/latchkey')],
] as const

async function faultsOf(content: string): Promise<string[]> {
  const result = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  if (result.value) await convertWorkflowTemplate(result.context, result.value)
  return result.context.errors.getErrors().map(({ message }) => message)
}

test.each(workflows)('%s is valid', async (_, text) => {
  expect(await faultsOf(text)).toEqual([])
})

test('faults of a workflow are found', async () => {
  expect(await faultsOf(ofProject('sqlite:a').replace('runs-on:', 'run-on:'))).not.toEqual([])
  const wrong = own[0]?.[1].replace('github.workflow', 'githubb.workflow') ?? ''
  expect(await faultsOf(wrong)).not.toEqual([])
})

interface Job {
  readonly uses?: string
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[]
}

test.each(workflows)(
  '%s names a version of each action and an existing script, and may only read unless a job says more',
  (_, text) => {
    const { jobs, permissions }: { jobs: Record<string, Job>; permissions: object } = parse(text)
    expect(permissions).toEqual({ contents: 'read' })
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])
    expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !/@(v\d+|[0-9a-f]{40})$/.test(uses))).toEqual([])
    const commands = steps.map(({ run = '' }) => run).join('\n')
    const scripts = [...commands.matchAll(/(?:node|bash) ([\w./-]+)/g)].map(([, path = '']) => path)
    expect(scripts.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
    // An expression in a script would be code that the name of a branch or tag contains.
    expect(commands).not.toContain('${{')
  },
)
