/** The JSON Schema of a complete export, for those who read one. */
import { mergeTables } from '../src/core/table.ts'
import { exportJSONSchema } from '../src/features/export-all/index.ts'
import { featureList } from '../src/features/index.ts'

export const exportSchema = (): string =>
  `${JSON.stringify(exportJSONSchema(mergeTables(Object.values(featureList))), null, 2)}\n`
