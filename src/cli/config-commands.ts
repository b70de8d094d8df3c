import { relative } from 'node:path'
import { command, flag, group } from './command.ts'

const check = command('check', 'Check the configuration for errors', {
  description:
    'Checks types, ranges and the rules between options. Connects to no database or other server: `latchkey start --check` and `latchkey doctor` also check what depends on stored users, such as a rule that locks out all administrators.',
  examples: ['latchkey config check', 'latchkey config check --config staging.config.ts --json'],
  exitCodes: [8],
  deadline: 30,
  action: async ({ output, cwd, loadConfig }) => {
    const { file, config } = await loadConfig()
    const { checkOrganizations, checkOwnServers, checkVerification } = await import('./doctor/check-configuration.ts')
    const { checkEmailSignIn } = await import('./doctor/check-email-sign-in.ts')
    const { checkSecurityTxt } = await import('./doctor/check-security-txt.ts')
    const { checkSecondFactor, explainProviders } = await import('./doctor/check-second-factor.ts')
    const { countMissing } = await import('../features/dashboard/index.ts')
    const { readPolicy } = await import('../features/sign-up-policy/index.ts')
    const findings = [
      checkVerification(config),
      ...checkOrganizations(config),
      ...checkSecondFactor(config),
      ...checkEmailSignIn(config),
      checkOwnServers(config),
      ...checkSecurityTxt(config, new Date()),
    ]
    for (const { status, message, fix } of findings) if (status === 'warning') output.warn(`${message}. ${fix}`)
    const explanation = explainProviders(config)
    if (explanation !== null) output.info(explanation)
    const { disposable } = readPolicy(config)
    if (disposable) output.info(`Sign-up rejects ${disposable.domains} disposable domains, by the list of ${disposable.date}`)
    const incomplete = countMissing(config).filter(({ missing }) => missing > 0)
    for (const { locale, missing, all } of incomplete)
      output.info(`The language ${locale} leaves out ${missing} of ${all} texts, which are in English`)
    output.result('config-check/v1', { file, valid: true }, [])
    output.success(`${file === null ? 'The configuration' : relative(cwd, file)} is valid`)
  },
})

const show = command('show', 'Show all options and their values', {
  examples: ['latchkey config show', 'latchkey config show --origin', 'latchkey config show --json | jq .config'],
  options: { origin: flag('--origin', 'Also show the origin of each value') },
  exitCodes: [8],
  deadline: 30,
  action: async ({ options, output, loadConfig }) => {
    const loaded = await loadConfig()
    const { listOptions, originOf } = await import('../project/config-view.ts')
    const { withValue } = await import('../project/environment.ts')
    const { configShape } = await import('../project/config/parse-config.ts')
    const { featureList } = await import('../features/index.ts')
    const { documentsToServe } = await import('../features/passkeys/index.ts')
    const shown = listOptions(configShape(featureList), loaded.config)
    const documents = documentsToServe(loaded.config)
    const data = {
      file: loaded.file,
      config: shown.reduce<object>((all, { path, value }) => withValue(all, path.split('.'), value), {}),
      ...(Object.keys(documents).length > 0 && { documents }),
      ...(options.origin && { origins: Object.fromEntries(shown.map((option) => [option.path, originOf(option, loaded)])) }),
    }
    const width = Math.max(...shown.map(({ path }) => path.length))
    output.result('config-show/v1', data, [
      ...shown.map((option) => {
        const { path, value } = option
        const origin = options.origin ? output.paint.dim(`  # ${originOf(option, loaded)}`) : ''
        return `${path.padEnd(width)}  ${value === null ? output.paint.dim('not set') : JSON.stringify(value)}${origin}`
      }),
      ...Object.entries(documents).flatMap(([url, document]) => [
        '',
        `Serve this as application/json at ${url}:`,
        JSON.stringify(document),
      ]),
    ])
  },
})

const schema = command('schema', 'Print the JSON Schema of the configuration', {
  examples: ['latchkey config schema > auth.config.schema.json'],
  deadline: 30,
  action: async ({ output }) => {
    const { documentedSchema } = await import('../project/config/schema.ts')
    const { configShape } = await import('../project/config/parse-config.ts')
    const { featureList } = await import('../features/index.ts')
    const { z } = await import('zod')
    const document = z.toJSONSchema(documentedSchema(configShape(featureList)), { io: 'input', unrepresentable: 'any' })
    output.result('config-schema/v1', { document }, JSON.stringify(document, null, 2))
  },
})

export const config = group('config', 'Check and show the configuration', {
  examples: ['latchkey config check', 'latchkey config show --origin'],
  commands: [check, show, schema],
})
