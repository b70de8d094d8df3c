import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { command } from '../command.ts'
import { CliFailure } from '../failure.ts'

export const openapi = command({
  name: 'openapi',
  summary: 'Write the OpenAPI document of the API',
  description:
    'The document that GET /api/auth/open-api/generate-schema answers with, made from the configuration; no database is needed.',
  examples: ['latchkey openapi > openapi.json', 'latchkey openapi --out openapi.json'],
  options: [{ flags: '-o, --out <file>', description: 'Write it to this file' }],
  exitCodes: [8],
  deadline: 60,
  input: (z) => z.object({ out: z.string().min(1).optional() }),
  action: async ({ options, output, cwd, loadConfig }) => {
    const { config } = await loadConfig()
    const [{ openAPIDocument }, { enabledFeatures }, { featureList }] = await Promise.all([
      import('../../features/open-api/index.ts'),
      import('../../core/feature.ts'),
      import('../../features/index.ts'),
    ])
    const document = openAPIDocument({ config, features: enabledFeatures(featureList, config) })
    const text = JSON.stringify(document, null, 2)
    if (options.out === undefined) return output.result('openapi/v1', { document }, text)
    await write(resolve(cwd, options.out), `${text}\n`)
    output.result('openapi/v1', { file: options.out }, [])
    output.success(`Wrote ${options.out}`)
  },
})

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (cause) {
    throw new CliFailure('FILE_NOT_WRITTEN', `${file} could not be written`, {
      hint: 'Check that its folder exists and is yours.',
      cause,
    })
  }
}
