import { createMemoryKeyValue } from '../../src/adapters/key-value.ts'
import { keyValueSuite } from './key-value.ts'

keyValueSuite('memory', async () => {
  const store = createMemoryKeyValue({ now: () => new Date() })
  return { store, close: async () => {} }
})
