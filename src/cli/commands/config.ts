import { relative } from 'node:path'
import { type CommandGroup, command, noOptions } from '../command.ts'
import { flag } from '../inputs.ts'

const check = command({
  name: 'check',
  summary: 'Check types, ranges and the rules between options',
  description: 'Nothing is connected to: it needs no network and no database.',
  examples: ['latchkey config check', 'latchkey config check --config staging.config.ts --json'],
  exitCodes: [8],
  deadline: 30,
  input: noOptions,
  action: async ({ output, cwd, loadConfig }) => {
    const { file } = await loadConfig()
    output.result('config-check/v1', { file, valid: true }, [])
    output.success(`${file === null ? 'The configuration' : relative(cwd, file)} is valid`)
  },
})

const show = command({
  name: 'show',
  summary: 'Show all options with their values, without secrets',
  examples: ['latchkey config show', 'latchkey config show --origin', 'latchkey config show --json | jq .config'],
  options: [{ flags: '--origin', description: 'Also show where each value is from' }],
  exitCodes: [8],
  deadline: 30,
  input: (z) => z.object({ origin: flag(z) }),
  action: async ({ options, output, loadConfig }) => {
    const { config, file, origins } = await loadConfig()
    const [{ showConfig }, { withValue }, { configShape }, { featureList }] = await Promise.all([
      import('../config-view.ts'),
      import('../complete-config.ts'),
      import('../../core/parse-config.ts'),
      import('../../features/index.ts'),
    ])
    const shown = showConfig(configShape(featureList), config)
    const originOf = (path: string) => origins.get(path) ?? 'default'
    const data = {
      file,
      config: shown.reduce<object>((all, { path, value }) => withValue(all, path.split('.'), value), {}),
      ...(options.origin && { origins: Object.fromEntries(shown.map(({ path }) => [path, originOf(path)])) }),
    }
    const width = Math.max(...shown.map(({ path }) => path.length))
    output.result(
      'config-show/v1',
      data,
      shown.map(({ path, value }) => {
        const origin = options.origin ? output.paint.dim(`  # ${originOf(path)}`) : ''
        return `${path.padEnd(width)}  ${value === null ? output.paint.dim('not set') : JSON.stringify(value)}${origin}`
      }),
    )
  },
})

const schema = command({
  name: 'schema',
  summary: 'Write the JSON Schema of what may be written',
  examples: ['latchkey config schema > auth.config.schema.json'],
  deadline: 30,
  input: noOptions,
  action: async ({ output }) => {
    const [{ documentedSchema }, { configShape }, { featureList }, { z }] = await Promise.all([
      import('../../core/config.ts'),
      import('../../core/parse-config.ts'),
      import('../../features/index.ts'),
      import('zod'),
    ])
    const document = z.toJSONSchema(documentedSchema(configShape(featureList)), { io: 'input', unrepresentable: 'any' })
    output.result('config-schema/v1', { document }, JSON.stringify(document, null, 2))
  },
})

export const config: CommandGroup = {
  name: 'config',
  summary: 'Check the configuration, show it, or show what may be written',
  examples: ['latchkey config check', 'latchkey config show --origin'],
  commands: [check, show, schema],
}
