import { createMemoryKeyValue } from '../../src/adapters/key-value/memory.ts'
import { keyValueSuite } from './key-value.ts'

keyValueSuite('memory', async () => {
  const store = createMemoryKeyValue({ now: () => new Date() })
  return { store, close: () => store.close() }
})
