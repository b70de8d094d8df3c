/** The committed migrations lead to the schema that the configuration of this repository declares. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import configFile from '../../config/auth.config.ts'
import { enabledFeatures } from '../../src/core/feature.ts'
import { featureList } from '../../src/features/index.ts'
import { declareSchema, generate } from '../../src/migrate/index.ts'
import { parseConfig } from '../../src/project/config/parse-config.ts'
import { root } from './source.ts'

test('the migrations of this checkout lead to the declared schema', async () => {
  const filled = {
    baseURL: 'http://localhost:4000',
    secret: '0123456789 abcdefghijklmnopqrstuvwxyz',
    database: { url: 'mysql://x@127.0.0.1/x' },
  }
  const parsed = parseConfig(featureList, { ...configFile, ...filled })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const schema = declareSchema(enabledFeatures(featureList, parsed.config))
  const { changes } = await generate({ schema, dir: join(root, 'migrations'), name: 'next', acknowledge: [], write: false })
  expect(changes).toEqual([])
})
